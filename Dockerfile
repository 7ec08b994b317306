# glibc, not musl: the wheels of onnxruntime, LiteRT and HailoRT need it.
ARG BUILD_FROM=ghcr.io/home-assistant/base-debian:trixie
# hadolint ignore=DL3006
FROM ${BUILD_FROM}

SHELL ["/bin/bash", "-o", "pipefail", "-c"]
ENV LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/ha-assist
COPY requirements.txt ./
RUN python3 -m venv venv \
    && venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: \
        -r requirements.txt \
    && venv/bin/python -m compileall -q venv

COPY LICENSE ./
COPY ha_assist_addon ./ha_assist_addon
RUN venv/bin/python -m compileall -q ha_assist_addon
COPY rootfs /

# "The server is up", never "a model is loaded": the panel must open where something is missing.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "http://127.0.0.1:8090/health"]

ARG BUILD_VERSION=dev
ARG BUILD_ARCH=amd64
LABEL io.hass.type="addon" \
    io.hass.name="HA-Assist" \
    io.hass.version="${BUILD_VERSION}" \
    io.hass.arch="${BUILD_ARCH}" \
    org.opencontainers.image.licenses="Apache-2.0"
