"""The weave toolchain as a Python package: finds and starts the `weave` binary."""

import os
import shutil
import sys
import sysconfig

__all__ = ["find_weave"]
__version__ = "{{ version }}"


def find_weave() -> str:
    """The path of the `weave` binary that was installed with this package.

    Raises FileNotFoundError if it is not there.
    """
    name = "weave" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts")]
    # `pip install --user`
    folders.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")) if sys.version_info >= (3, 10) else None)
    # `pip install --target DIR`
    here = os.path.dirname(os.path.abspath(__file__))
    folders.append(os.path.join(os.path.dirname(here), "bin"))
    for folder in folders:
        if folder and os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    found = shutil.which(name)
    if found:
        return found
    raise FileNotFoundError("the `weave` binary is not installed next to the package {{ package }}; reinstall the package")
