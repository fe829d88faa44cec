"""Clips of the CMU Graphics Lab Motion Capture Database: which clips exist, where they come from, and where they are kept."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kinegraph.errors import FetchError, FetchRequestError, MissingExtraError
from kinegraph.fetch.download import ResumingDownloader
from kinegraph.fetch.sources import SOURCES
from kinegraph.watch import Watch, Watcher

# Hashes of fetched files of which none is known beforehand; `sha256sum -c` reads it.
RECORD = "fetched.sha256"

_WANTED = re.compile(r"(\d{1,3})(?:_(\d{1,3})(?:-(?:(\d{1,3})_)?(\d{1,3}))?)?")


@cache
def cmu_clips() -> Mapping[int, tuple[int, ...]]:
    """Subject number → its clip numbers, for the whole database as it was listed in 2008."""
    table: dict[int, tuple[int, ...]] = {}
    for line in _table("cmu_clips.txt"):
        subject, spans = line.split()
        ends = [span.partition("-") for span in spans.split(",")]
        table[int(subject)] = tuple(n for low, _, high in ends for n in range(int(low), int(high or low) + 1))
    return MappingProxyType(table)


@cache
def cmu_hashes() -> Mapping[str, str]:
    """File (``"16/16_15.amc"``) → sha256 of the original, for those files for which it is known."""
    pairs = (line.split() for line in _table("cmu_hashes.txt"))
    return MappingProxyType({name: digest for digest, name in pairs})


def _table(name: str) -> Iterator[str]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def cmu_files(wanted: Sequence[str]) -> list[str]:
    """The files that ``wanted`` asks for: each subject's skeleton before its clips, and nothing twice.

    Each item is a subject (``"16"``: all its clips), a clip (``"16_15"``) or a range of one subject's clips (``"16_11-32"``, or in full
    ``"16_11-16_32"``). Leading zeros may be left out.

    >>> cmu_files(["16_15", "16_46-47"])
    ['16/16.asf', '16/16_15.amc', '16/16_46.amc', '16/16_47.amc']
    """
    if isinstance(wanted, str):
        wanted = [wanted]
    files: dict[str, None] = {}
    for wish in wanted:
        subject, clips = _understand(wish)
        files.setdefault(f"{subject:02d}/{subject:02d}.asf")
        for clip in clips:
            files.setdefault(f"{subject:02d}/{subject:02d}_{clip:02d}.amc")
    return list(files)


def _understand(wish: str) -> tuple[int, Sequence[int]]:
    match = _WANTED.fullmatch(wish.strip())
    if match is None or (match[3] and int(match[3]) != int(match[1])):
        raise FetchRequestError(
            f"{wish!r} is neither a subject (16) nor a clip (16_15) nor a range of one subject's clips (16_11-32)"
        )
    subject = int(match[1])
    there = cmu_clips().get(subject)
    if there is None:
        raise FetchRequestError(f"the CMU database has no subject {match[1]}; it has {_spans(cmu_clips())}")
    if match[2] is None:
        return subject, there
    low = int(match[2])
    high = int(match[4] or low)
    for end in (low, high):
        if end not in there:
            raise FetchRequestError(f"subject {subject:02d} has no clip {end}; it has {_spans(there)}")
    if high < low:
        raise FetchRequestError(f"the range {wish!r} runs backwards")
    return subject, [clip for clip in there if low <= clip <= high]


def _spans(numbers: Iterable[int]) -> str:
    """Sorted numbers for people: 1 to 3, 5."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in spans)


def fetch_cmu(
    subjects_or_clips: Sequence[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    base_url: str | None = None,
    watch: Watcher = None,
    verify: bool = True,
    hashes: Mapping[str, str] | None = None,
) -> list[Path]:
    """Download the skeletons (.asf) and clips (.amc) that are not there yet, and return the paths of all of them.

    - subjects_or_clips: as in `cmu_files`
    - folder: where to keep the files, with one folder for each subject (``folder/16/16_15.amc``); by default the user's cache
    - base_url: the address of the folder of subjects; by default ``KINEGRAPH_CMU_URL`` of the environment, or else CMU's
    - watch: each file is a stage, counted in bytes; the total is None if the server does not say it. A file that is already there is
      reported once.
    - verify: compare each file with the known hash, or with the one recorded at the first download; False accepts every file
    - hashes: file → sha256, instead of the known ones

    If a download breaks off, the next call continues it. `FetchError` says what failed and what can be done.

    >>> import kinegraph as kg
    >>> kg.fetch.fetch_cmu(["16_15-16"], folder="cmu")    # doctest: +SKIP
    [PosixPath('cmu/16/16.asf'), PosixPath('cmu/16/16_15.amc'), PosixPath('cmu/16/16_16.amc')]
    >>> kg.fetch.fetch_cmu(["16_99"])    # nothing is downloaded for what does not exist
    Traceback (most recent call last):
    kinegraph.errors.FetchRequestError: subject 16 has no clip 99; it has 1 to 58
    """
    pooch, watch = _pooch(), Watch.of(watch)
    files = cmu_files(subjects_or_clips)
    root = Path(folder) if folder is not None else Path(pooch.os_cache("kinegraph")) / "cmu"
    if root.exists() and not root.is_dir():
        raise FetchRequestError(f"{root} is a file: give a folder to keep the clips in")
    base = SOURCES["cmu"].base(base_url)
    known = cmu_hashes() if hashes is None else hashes
    paths = []
    for file in files:
        path = root / file
        expected = (known.get(file) or _recorded(root).get(file)) if verify else None
        try:
            if path.is_file() and (expected is None or _digest(path) == expected):
                watch.tell(path.name, path.stat().st_size, path.stat().st_size)
            else:
                _download(pooch, f"{base}/{file}", path, expected, watch)
            if file not in known:
                _record(root, file, _digest(path))
        except FetchError as error:
            if path.parent.is_dir() and not any(path.parent.iterdir()):
                path.parent.rmdir()
            raise FetchError(f"{error}. {_advice(path)}") from error
        except OSError as error:
            raise FetchError(f"cannot keep {file} as {path}: {error}") from error
        paths.append(path)
    return paths


def _pooch() -> Any:
    try:
        import pooch
    except ImportError:
        raise MissingExtraError("downloading clips", "fetch") from None
    return pooch


def _download(pooch: Any, url: str, path: Path, expected: str | None, watch: Watch) -> None:
    downloader = ResumingDownloader(path.with_name(path.name + ".part"), watch)
    path.parent.mkdir(parents=True, exist_ok=True)

    def checked(address: str, output: str, of: object) -> None:
        downloader(address, output, of)
        _refuse_page(address, Path(output))

    with _quiet(pooch.get_logger()):
        for again in (True, False):
            try:
                # pooch checks the hash and only then moves the file to its name; a damaged one of that name is replaced
                pooch.retrieve(url, expected, path.name, path.parent, downloader=checked)
                return
            except ValueError as error:
                if not downloader.complete:
                    raise
                # the fault may lie in what an earlier attempt had left: a fresh start tells
                if not (again and downloader.resumed):
                    raise FetchError(
                        f"{url} is not the file it should be: its sha256 is not the known {expected}. "
                        "Either it was damaged on its way, or the source has changed it; verify=False accepts it as it is"
                    ) from error


def _refuse_page(url: str, path: Path) -> None:
    """Hotel networks and moved sites answer every address with a web page, which is no clip."""
    with path.open("rb") as file:
        if file.read(256).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            raise FetchError(f"{url} is a web page, not a clip: a login page of the network, or the source has moved")


@contextmanager
def _quiet(logger: Any) -> Iterator[None]:
    """Silence pooch's notes on standard error, which belongs to the caller."""
    level = logger.level
    logger.setLevel("ERROR")
    try:
        yield
    finally:
        logger.setLevel(level)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _recorded(root: Path) -> dict[str, str]:
    record = root / RECORD
    if not record.is_file():
        return {}
    pairs = (line.split() for line in record.read_text(encoding="utf-8").splitlines())
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _record(root: Path, file: str, digest: str) -> None:
    record = _recorded(root)
    if record.get(file) == digest:
        return
    record[file] = digest
    fresh = root / f"{RECORD}.part"
    fresh.write_text("".join(f"{record[name]}  {name}\n" for name in sorted(record)), encoding="utf-8", newline="\n")
    fresh.replace(root / RECORD)


def _advice(path: Path) -> str:
    source = SOURCES["cmu"]
    return (
        f"Check the network, or name a mirror (--from, base_url, or the variable {source.variable}); "
        f"a file downloaded by hand is found if it is put at {path}"
    )
