"""The command line: `serve`, `models`, `models download` and `ask`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .settings.bootstrap import Bootstrap

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    known = _parser(given).parse_args(given)
    if known.command == "ask":
        from . import ask  # noqa: PLC0415 - its grammars are not needed to serve

        return ask.main(known)
    if known.command == "serve":
        return _with_bootstrap(_serve, known)
    return _with_bootstrap(partial(_download, name=known.name) if known.action == "download" else _models, known)


def _parser(given: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ha-assist", description="A deterministic-first brain for Home Assistant.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser(
        "serve", help="answer Home Assistant", description="Every option can be given as HA_ASSIST_DATA_DIR and so on."
    )
    models = commands.add_parser("models", help="list the models and their state, or fetch one")
    actions = models.add_subparsers(dest="action", metavar="ACTION")
    download = actions.add_parser("download", help="fetch a known model; goes on where an earlier run stopped")
    download.add_argument("name", metavar="NAME", help="the model's name as `models` lists it")
    for command in (serve, models, download):
        # What stands before `download` must not be undone by what does not stand behind it.
        unset = argparse.SUPPRESS if command is download else None
        command.add_argument("--data-dir", metavar="DIR", default=unset, help="where settings, key and models are kept")
        command.add_argument("--log-level", metavar="LEVEL", default=unset, help="debug, info, warning or error")
    serve.add_argument("--host", help="the address to listen on (default 0.0.0.0)")
    serve.add_argument("--port", metavar="N", help="the port of the API (default 8090)")
    serve.add_argument("--panel-port", metavar="N", help="the port of the panel (default 8099)")
    serve.add_argument("--api-key", metavar="KEY", help="the key that clients must send")
    asking = commands.add_parser("ask", help="say one sentence and see what is decided, and why")
    if given[:1] == ["ask"]:
        from . import ask  # noqa: PLC0415 - as above

        ask.add_arguments(asking)
    return parser


def _with_bootstrap(command: Callable[[Bootstrap], int], known: argparse.Namespace) -> int:
    from .settings.bootstrap import Bootstrap  # noqa: PLC0415 - `--help` answers at once
    from .settings.errors import BootstrapError  # noqa: PLC0415

    arguments = {name: value for name, value in vars(known).items() if name not in {"command", "action", "name"}}
    try:
        bootstrap = Bootstrap.load(**arguments)
    except BootstrapError as error:
        print(error, file=sys.stderr)
        return 2
    logging.basicConfig(level=bootstrap.log_level.upper(), format=LOG_FORMAT)
    return command(bootstrap)


def _serve(bootstrap: Bootstrap) -> int:
    # A stop that comes while the modules are still being loaded is no fault either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    from .app import CannotListen, serve  # noqa: PLC0415

    try:
        asyncio.run(serve(bootstrap))
    except CannotListen as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _models(bootstrap: Bootstrap) -> int:
    from .models_command import show_models  # noqa: PLC0415

    return asyncio.run(show_models(bootstrap))


def _download(bootstrap: Bootstrap, *, name: str) -> int:
    from .models_command import download_model  # noqa: PLC0415

    try:
        return asyncio.run(download_model(bootstrap, name))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
