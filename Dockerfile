# glibc, not musl: the wheels of onnxruntime, LiteRT and HailoRT need it.
ARG BUILD_FROM=ghcr.io/home-assistant/base-debian:trixie

# hadolint ignore=DL3006
FROM ${BUILD_FROM} AS packages
SHELL ["/bin/bash", "-o", "pipefail", "-c"]

# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3 python3-venv

WORKDIR /opt/ha-assist
COPY requirements.txt ./
# pip stays behind in an environment of its own.
RUN python3 -m venv /opt/pip \
    && python3 -m venv --without-pip venv \
    && /opt/pip/bin/pip --python venv/bin/python install --no-cache-dir --no-compile --disable-pip-version-check \
        --require-hashes --only-binary :all: -r requirements.txt
# Nothing here is ever imported: the packages' own tests, stubs for type checkers, what converts or trains models, and a
# second copy of onnxruntime, for programs in C.
RUN site="$(echo venv/lib/python3*/site-packages)" \
    && find "$site" -type d \( -name tests -o -path '*/numpy/_core/include' -o -path '*/numpy/_core/lib' \
        -o -path '*/onnxruntime/transformers' -o -path '*/onnxruntime/quantization' -o -path '*/onnxruntime/tools' \) \
        -prune -exec rm -rf {} + \
    && find "$site" -type f \( -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name 'libonnxruntime.so.*' \) -delete

COPY ha_assist_addon ./ha_assist_addon
# The image does not change: Python need not compare times to trust what is compiled.
RUN venv/bin/python -m compileall -q --invalidation-mode unchecked-hash venv ha_assist_addon \
    && venv/bin/python -c 'from ha_assist_addon.language.grammar import compile_all; compile_all()'

# hadolint ignore=DL3006
FROM ${BUILD_FROM}
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# Nothing is left to wait for once the server has ended.
ENV LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    S6_KILL_GRACETIME=500

# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
    && useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ha-assist

WORKDIR /opt/ha-assist
COPY --from=packages /opt/ha-assist/venv ./venv
COPY --from=packages /opt/ha-assist/ha_assist_addon ./ha_assist_addon
COPY LICENSE ./
COPY rootfs /

# "The server is up", never "a model is loaded": the panel must open where something is missing.
# Docker 25 and newer ask after 5 seconds first; --start-interval, which could shorten that, breaks the build with Docker 24.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/usr/lib/ha-assist/healthy"]

ARG BUILD_VERSION=dev
ARG BUILD_ARCH=amd64
LABEL io.hass.type="addon" \
    io.hass.name="HA-Assist" \
    io.hass.version="${BUILD_VERSION}" \
    io.hass.arch="${BUILD_ARCH}" \
    org.opencontainers.image.title="HA-Assist" \
    org.opencontainers.image.version="${BUILD_VERSION}" \
    org.opencontainers.image.licenses="Apache-2.0"
