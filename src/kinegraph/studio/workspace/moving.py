"""Moving files: at once within a disk; from one disk to another by a copy, which appears whole."""

from __future__ import annotations

import errno
import shutil
from contextlib import suppress
from pathlib import Path

from kinegraph.formats.atomic import replacing


def move(source: Path, target: Path) -> None:
    """Move a file, or a link as it is; folders of a workspace may lie on several disks."""
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if source.is_symlink():
            target.symlink_to(source.readlink())
        else:
            with replacing(target) as temporary:
                shutil.copyfile(source, temporary)
                shutil.copystat(source, temporary)
        with suppress(OSError):  # there is one too many rather than none
            source.unlink()
