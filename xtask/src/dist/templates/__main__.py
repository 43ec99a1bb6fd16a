"""`python -m {{ package | replace("-", "_") }}` starts the `weave` binary with the same arguments."""

import os
import subprocess
import sys

from {{ package | replace("-", "_") }} import find_weave


def main() -> None:
    try:
        weave = find_weave()
    except FileNotFoundError as error:
        sys.exit(f"error: {error}")
    if os.name == "nt":
        # Windows has no `exec` that keeps the console.
        sys.exit(subprocess.run([weave, *sys.argv[1:]]).returncode)
    os.execv(weave, [weave, *sys.argv[1:]])


if __name__ == "__main__":
    main()
