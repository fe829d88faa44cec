"""`Draft`: the pairs of clips that a build has compared so far, so that one that was killed goes on where it was.

A draft is an SQLite file beside the output (`G.mog.part`). SQLite's own exclusive lock keeps a second build out: the operating system
takes the lock away with the process, however that ends, so no stale lock is left.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import suppress
from os import PathLike
from pathlib import Path
from types import TracebackType

import numpy as np

from kinegraph.errors import FormatError, GraphError
from kinegraph.similarity.candidates import Candidates, gathered

# "kmod" in ASCII
_APPLICATION_ID = 0x6B6D6F64
_VERSION = 2
_SUFFIX = ".part"
_COLUMNS = (
    ("a", "<i4"), ("b", "<i4"), ("window", "<i4"), ("counts", "<i8"), ("first", "<i4"), ("second", "<i4"), ("cost", "<f8"),
)  # fmt: skip
# A draft is thrown away once at most; further trials are for other builds that come and go meanwhile.
_MOST_TRIALS = 10
_DDL = """
CREATE TABLE fingerprint (value TEXT NOT NULL);
CREATE TABLE part (
  a BLOB NOT NULL,
  b BLOB NOT NULL,
  window BLOB NOT NULL,
  counts BLOB NOT NULL,
  first BLOB NOT NULL,
  second BLOB NOT NULL,
  cost BLOB NOT NULL,
  digest BLOB NOT NULL
);
"""


class _UnusableError(Exception):
    """A draft of another build, of another version, or a damaged one."""


class Draft:
    """The working file of a build; open it with `Draft.open`, best as a context, which closes but keeps it.

    done: the `Candidates` of all pairs that an earlier build compared; clips by their numbers, which the fingerprint fixes.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, done: Candidates):
        self.path = path
        self.done = done
        self._connection = connection

    @classmethod
    def open(cls, output: str | PathLike[str], fingerprint: str) -> Draft:
        """The draft of a build that will write ``output``, and has that fingerprint: all that decides what the pairs hold.

        What an earlier build of the same fingerprint left is in ``done``. A draft that is of another one, or damaged, is thrown away.
        `GraphError` where another process is building ``output``; `FormatError` where no file can be written there.
        """
        output = Path(output)
        try:
            if output.is_dir():
                raise FormatError("this is a folder: give the name of a file to write", output)
            if not output.parent.is_dir():
                raise FormatError(f"there is no folder {output.parent}: make it first", output)
            # through a link, so that two names of one output have one draft
            path = Path(f"{output.resolve()}{_SUFFIX}")
            for _ in range(_MOST_TRIALS):
                try:
                    made = cls._opened(path, fingerprint)
                except _UnusableError:
                    _remove(path)
                    continue
                if made is not None:
                    return made
            raise FormatError("no draft can be kept beside it: choose another folder", output)
        except sqlite3.Error as error:
            raise _refusal(error, output) from error
        except (OSError, RuntimeError, ValueError) as error:  # no right to write; links in a circle, a zero byte
            why = getattr(error, "strerror", None) or error
            raise FormatError(f"cannot write into the folder {output.parent}: {why}", repr(str(output))) from error

    @classmethod
    def _opened(cls, path: Path, fingerprint: str) -> Draft | None:
        """The draft; None where another process took the file away before it could be locked."""
        path.touch()
        before = path.stat()
        connection = sqlite3.connect(path, timeout=0.0, isolation_level=None)
        try:
            done = _claim(connection, fingerprint)
            now = path.stat() if path.exists() else None
            if now is not None and (now.st_dev, now.st_ino) == (before.st_dev, before.st_ino):
                return cls(path, connection, done)
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None

    def put(self, found: Candidates) -> None:
        """Keep what was found for these pairs, all or none of them; safe from then on if the process is killed."""
        blobs = [getattr(found, name).astype(kind).tobytes() for name, kind in _COLUMNS]
        try:
            self._connection.execute("BEGIN")
            self._connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*blobs, _digest(*blobs)))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):  # a full disk has rolled back already
                self._connection.execute("ROLLBACK")
            raise _refusal(error, self.path) from error

    def discard(self) -> None:
        """Close and delete: the output is written, and the draft has served."""
        with suppress(sqlite3.Error):
            # the log is folded in and removed while the lock still keeps other builds away from it
            self._connection.execute("PRAGMA journal_mode = DELETE")
        # While it is locked, too: afterwards the name could be another build's. A full disk has kept the log. Windows deletes no open file.
        with suppress(OSError):
            _remove(self.path)
            self.close()
            return
        self.close()
        with suppress(OSError):
            _remove(self.path)

    def close(self) -> None:
        """Let go of the file, and keep it for the next time."""
        self._connection.close()

    def __enter__(self) -> Draft:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _claim(connection: sqlite3.Connection, fingerprint: str) -> Candidates:
    """Lock the file, make its tables if it is new, and read the pairs that are done."""
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        # a write-ahead log: killed or without power, whole transactions remain; only power can take the last ones
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
            for statement in _DDL.split(";")[:-1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("INSERT INTO fingerprint VALUES (?)", (fingerprint,))
        known = (
            *connection.execute("PRAGMA application_id").fetchone(),
            *connection.execute("PRAGMA user_version").fetchone(),
        )
        if known != (_APPLICATION_ID, _VERSION):
            raise _UnusableError
        if connection.execute("SELECT value FROM fingerprint").fetchall() != [(fingerprint,)]:
            raise _UnusableError
        done = gathered(map(_unpacked, connection.execute("SELECT * FROM part ORDER BY rowid")))
        connection.execute("COMMIT")
        return done
    except sqlite3.DatabaseError as error:
        if _is_trouble(error):
            raise
        raise _UnusableError from error
    except (ValueError, TypeError) as error:
        raise _UnusableError from error


def _unpacked(row: tuple[bytes, ...]) -> Candidates:
    *blobs, digest = row
    if _digest(*blobs) != digest:
        raise ValueError("the row is damaged")
    columns = {name: np.frombuffer(blob, kind) for (name, kind), blob in zip(_COLUMNS, blobs, strict=True)}
    counts = columns.pop("counts")
    return Candidates(offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), **columns)


def _digest(*blobs: bytes) -> bytes:
    """A draft may be weeks old, and its disk worse: what is damaged must not get into a graph."""
    sha = hashlib.sha256(repr([*map(len, blobs)]).encode())
    for blob in blobs:
        sha.update(blob)
    return sha.digest()


def _is_trouble(error: sqlite3.Error) -> bool:
    """Whether the fault lies with the machine (locked, full, refused) rather than with the draft.

    A file that ends too soon is damaged, and so is one that says of itself that it must not be written.
    """
    code = getattr(error, "sqlite_errorcode", 0)
    return code != sqlite3.SQLITE_IOERR_SHORT_READ and code & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PROTOCOL,
    )


def _refusal(error: sqlite3.Error, output: Path) -> FormatError | GraphError:
    """SQLite's complaint as a sentence that says what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return GraphError(f"another build is writing {output}: wait for it, or give another name")
    return FormatError(
        f"the draft beside it cannot be written: {error}; free some space or choose another folder", output
    )


def _remove(path: Path) -> None:
    # the log first: without its file it would be taken for the log of the next one
    for suffix in ("-wal", "-journal", "-shm", ""):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
