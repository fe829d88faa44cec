"""Whether two versions of kinegraph give the same: files, reports and the studio's answers, on the built-in clips.

    python benchmarks/unchanged.py record before.json                # with the kinegraph that is installed
    PYTHONPATH=other/src python benchmarks/unchanged.py record after.json
    python benchmarks/unchanged.py compare before.json after.json    # exit 1 where something differs

Every command runs twice and every request is sent twice: what is not the same both times (timings, random ids) is no result,
and is left out. Of a file the digest is kept, of a `.mog` that of its tables, of a pack those of its facts and of its arrays.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx2

# in the order in which they are run: later ones read what earlier ones write
COMMANDS = """
samples -o clips --json
info clips/walk.bvh clips/run.bvh --json
info clips/kick_high_left.bvh --joints
convert clips/walk.bvh walk.amc --fps 30 --json
convert clips/walk.bvh walk.glb --frames 10:80 --mirror --json
convert clips/run.bvh run.npz --onto walk.asf --in-place --json
convert clips/run.bvh run.csv --what rotations --json
convert clips glb --to glb --fps 30 --json
distance clips/walk.bvh clips/run.bvh -o map.npz --json
distance clips/walk.bvh clips/walk.bvh -o map.png --threshold 4
build clips -o graph.mog --mirror --json
build clips/walk.bvh clips/walk_*_medium.bvh -o small.mog --threshold 5 --weight left_toe=0.1 --along 1 --json
add small.mog clips/run.bvh -o more.mog --json
remove more.mog walk -o fewer.mog --json
inspect graph.mog --json
inspect graph.mog walk run --transitions --json
inspect graph.mog --clips
inspect graph.mog --check --json
inspect graph.mog --threshold 3 --json
inspect small.mog --plot small.png
follow graph.mog eight:2.5 --label walk --warp -o eight.bvh --plot eight.png --json
follow graph.mog eight:2.5 --label walk --warp
follow graph.mog line:20 --sections 0-8:walk,8-:run --warp -o way.bvh --json
follow graph.mog circle:3 --prefer walk_left_gentle=20 --blend cubic --no-clean -o circle.npz --json
follow graph.mog line:10 --disc 0.1,5,0.8 --start walk@20 --heading 0 --end-heading 90 -o round.bvh --json
follow graph.mog square:5 --box 2,1,1,1 --speed 1.2 --width 200 --price 60 --gap 0.3 --blend linear -o square.glb --json
follow small.mog line:3 --search exact --horizon 1 --keep 0.5 --blend inertial -o exact.amc --json
follow graph.mog line:2000 --limit 5 --json
follow graph.mog line:8 --label nonsense --json
walk graph.mog --seconds 20 --seed 3 --label walk --pool 0.05 -o random.bvh --plot random.png --json
walk graph.mog --seconds 6 --seed 1 --gap 0.5 --start run
walk graph.mog --sequence stand,walk,run --stay 2,1,1 -o order.bvh --json
repath clips/walk.bvh circle:3 --cycle -o laps.bvh --plot laps.png --json
repath clips/walk.bvh line:12 --cycle --ground hill:1,6 --natural -o hill.glb --json
repath clips/run.bvh '0,0,0 0,0.4,4 2,0.8,8' --keep time --degree 4 --end onward --start clip --no-feet -o climb.bvh --json
repath clips/walk.bvh eight:2
paths show clips/walk.bvh --json
paths show eight:3 --json
paths fit clips/walk.bvh -o own.json --controls 6 --json
repath clips/walk.bvh own.json -o bent.bvh --json
clean clips/walk.bvh clean.bvh --json
evaluate eight.bvh --path eight:2.5 --json
evaluate clips/kick_high_left.bvh
space build clips/punch_*.bvh --kind punch -o punches.mog --write-strikes found.toml --json
space show punches.mog --plot space.png --json
space show punches.mog
space reach punches.mog 0.10,1.40 -o hit.bvh --json
space reach punches.mog -0.2,1.2,0.65 --mirror --method partial -o left.bvh --nearest --json
space reach punches.mog 3,3 -o far.bvh --json
space join punches.mog 0.1,1.4 graph.mog --label walk -o scene.bvh --json
space evaluate punches.mog --targets 20 --json
render clips/walk.bvh -o walk.png --poses 6 --json
render clips/jump.bvh -o jump.gif --width 200 --fps 10 --json
""".strip().splitlines()

DRAWN = {"points": [[0, 0], [0, 3], [1.5, 5], [4, 6]]}
SPLINE = {"degree": 3, "controls": [[0, 0], [0, 2], [1, 4], [3, 4]]}

_TOKEN = "what-a-client-shows"


def requests(ids: dict[str, str]) -> list[tuple[str, str, Any]]:
    """Method, address and body of every request; ids: those of the files that they are about."""
    graph, walk, run, punches = ids["graph"], ids["walk"], ids["run"], ids["punches"]
    follow, lay, reach = f"graphs/{graph}/follow", f"clips/{walk}/repath", f"spaces/{punches}/reach"
    pair = f"a={walk}&b={run}"
    return [
        ("GET", "state", None),
        ("GET", f"clips/{walk}", None),
        ("GET", f"clips/{walk}/motion", None),
        ("GET", f"clips/{walk}/body", None),
        ("GET", f"clips/{walk}/thumbnail.svg", None),
        ("GET", f"clips/{walk}/path?controls=6", None),
        ("GET", f"clips/{walk}/recipe?format=.glb&fps=30&in_place=true", None),
        ("GET", "paths?shape=eight:3", None),
        ("GET", f"matrix?{pair}", None),
        ("GET", f"align?{pair}&i=10&j=12", None),
        ("POST", "transition", {"a": walk, "b": run, "i": 30, "j": 20, "blend": "cubic", "lead": 0.5}),
        ("GET", f"graphs/{graph}", None),
        ("GET", f"graphs/{graph}/edges", None),
        ("GET", f"graphs/{graph}/clips/3/motion", None),
        ("POST", follow, {"path": {"shape": "eight:2.5"}, "label": "walk", "warp": True}),
        ("POST", follow, {"path": DRAWN, "warp": False, "blend": "inertial", "clean": False, "heading_deg": 10}),
        ("POST", follow, {"path": SPLINE, "warp": True, "prefer": {"walk": 10}, "width": 150, "horizon": 4, "speed": 1.3}),
        ("POST", follow, {
            "path": {"shape": "line:16"}, "warp": True,
            "sections": [{"first": 0, "last": 8, "label": "walk"}, {"first": 8, "label": "run"}],
        }),
        ("POST", follow, {"path": {"shape": "line:9"}, "warp": False, "obstacles": [{"x": 0.1, "z": 5, "radius": 0.7}]}),
        ("POST", follow, {"path": {"shape": "line:9"}, "label": "nonsense"}),
        ("POST", follow, {"path": {"shape": "line:9"}, "horizon": 99}),
        ("POST", f"graphs/{graph}/walk", {"seconds": 8, "seed": 4, "label": "walk", "pool": 0.1}),
        ("POST", f"graphs/{graph}/walk", {"sequence": ["walk", "run"], "stay": [1, 2], "blend": "linear", "clean": False}),
        ("POST", f"graphs/{graph}/walk", {}),
        ("POST", lay, {"path": {"shape": "circle:2.5"}, "cycle": True}),
        ("POST", lay, {"path": SPLINE, "natural": True, "ground": "waves:0.4,5", "keep": "time", "stretch": 0.0}),
        ("POST", lay, {"path": {"shape": "line:4"}, "degree": 4, "end": "onward", "feet": False, "start": "clip"}),
        ("POST", lay, {"path": {"shape": "line:4"}, "ground": "../../etc"}),
        ("GET", f"spaces/{punches}", None),
        ("GET", f"spaces/{punches}/trust", None),
        ("POST", reach, {"target": [0.1, 1.4]}),
        ("POST", reach, {"target": [-0.2, 1.2, 0.65], "mirror": True, "method": "partial", "finished": False}),
        ("POST", reach, {"target": [3, 3]}),
        ("PUT", "sketches/mine", DRAWN),
        ("PUT", "sketches/curve", SPLINE),
    ]  # fmt: skip


def record() -> dict[str, Any]:
    """Everything, twice, without what differs between the two."""
    runs = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "work"
            folder.mkdir()
            told = {f"$ kinegraph {line}": command(line, folder) for line in COMMANDS}
            told |= studio(folder)
            runs.append(json.loads(json.dumps(told).replace(place, "PLACE")))
    return {name: _steady(runs[0][name], runs[1][name]) for name in runs[0]}


def command(line: str, folder: Path) -> dict[str, Any]:
    """What a command prints, its exit code, and the digests of the files that it writes."""
    words = [word for part in shlex.split(line) for word in (_matching(folder, part) if "*" in part else [part])]
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    done = subprocess.run([sys.executable, "-m", "kinegraph", *words], cwd=folder, capture_output=True, text=True)
    print(f"  {done.returncode}  {line}", file=sys.stderr)
    out: Any = done.stdout
    if "--json" in words and done.stdout.strip():
        out = json.loads(done.stdout)
    files = {
        path.relative_to(folder).as_posix(): _digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and before.get(path) != path.stat().st_mtime_ns
    }
    return {"code": done.returncode, "out": out, "err": done.stderr, "files": files}


def studio(folder: Path) -> dict[str, Any]:
    """What the studio answers, on the folder that the commands have filled; then recipes of what it made, and exports."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kinegraph", "studio", str(folder), "--port", "0", "--no-browser", "--token", _TOKEN],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        url = next(found[1] for line in process.stderr if (found := re.search(r"open at (http://[^\s?]+)", line)))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        with httpx2.Client(base_url=url, timeout=120, headers={"Authorization": f"Bearer {_TOKEN}"}) as client:
            return _asked(client)
    finally:
        process.terminate()
        process.wait(20)


def _asked(client: httpx2.Client) -> dict[str, Any]:
    state: dict[str, Any] = {"clips": [{"info": None}]}
    while any(clip["info"] is None for clip in state["clips"]):
        state = client.get("/api/state").json()
        time.sleep(0.1)
    found = {clip["name"]: clip["id"] for clip in state["clips"] if clip["file"].startswith("clips/")}
    found |= {"graph": next(one["id"] for one in state["graphs"] if one["name"] == "graph")}
    found |= {"punches": next(one["id"] for one in state["spaces"] if one["name"] == "punches")}
    told: dict[str, Any] = {}
    made = []
    for method, address, body in requests(found):
        answer = client.request(method, f"/api/{address}", json=body)
        print(f"  {answer.status_code}  {method} {address} {body or ''}", file=sys.stderr)
        name = f"{method} /api/{address} {json.dumps(body)}"
        told[name] = {"status": answer.status_code, "body": _read(answer.content)}
        if answer.status_code == 200 and isinstance(told[name]["body"], dict):
            result = told[name]["body"].get("facts", {}).get("result")
            made += [(name, result["id"])] if result else []
    for name, id in made:
        for query in ("format=.bvh", "format=.amc&fps=30&units=in", "format=.mp4"):
            told[f"recipe {query} of {name}"] = client.get(f"/api/results/{id}/recipe?{query}&name=out").json()
    for suffix in (".bvh", ".glb", ".csv"):
        asked = {"source": {"kind": "result", "id": made[0][1]}, "format": suffix, "name": f"out{suffix[1:]}"}
        answer = client.post("/api/export", json=asked).json()
        told[f"export {suffix}"] = {
            **answer, "file": hashlib.sha256(client.get(f"/api/exports/{answer['export']['id']}/file").content).hexdigest()
        }  # fmt: skip
    return told


def _read(data: bytes) -> Any:
    """A pack's facts and digests of its arrays, JSON, or the digest of anything else."""
    if data[:4] == b"KGP1":
        (length,) = struct.unpack_from("<I", data, 4)
        header = json.loads(data[8 : 8 + length])
        arrays = {}
        begins = sorted(entry["offset"] for entry in header["arrays"].values())
        for name, entry in header["arrays"].items():
            end = next((begin for begin in begins if begin > entry["offset"]), len(data))
            piece = data[8 + length + entry["offset"] : 8 + length + end]
            arrays[name] = {**entry, "offset": 0, "sha256": hashlib.sha256(piece).hexdigest()}
        return {"facts": header["facts"], "arrays": arrays}
    try:
        return json.loads(data)
    except ValueError:
        return hashlib.sha256(data).hexdigest()


def _digest(path: Path) -> Any:
    if path.suffix != ".mog":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    # a file of SQLite lays its pages as it likes: its tables count
    with sqlite3.connect(path) as file:
        names = [row[0] for row in file.execute("select name from sqlite_master where type = 'table' order by name")]
        rows = {name: sorted(map(repr, file.execute(f"select * from {name}"))) for name in names}
    return {name: hashlib.sha256("\n".join(lines).encode()).hexdigest() for name, lines in rows.items()}


def _matching(folder: Path, pattern: str) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern))


def _steady(one: Any, two: Any) -> Any:
    """What two runs have in common; what differs is left out."""
    if isinstance(one, dict) and isinstance(two, dict):
        return {key: _steady(one[key], two[key]) for key in one if key in two and not _differs(one[key], two[key])}
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [None if _differs(a, b) else _steady(a, b) for a, b in zip(one, two, strict=True)]
    return one


def _differs(one: Any, two: Any) -> bool:
    if isinstance(one, str) and isinstance(two, str):
        return _plain(one) != _plain(two)
    return not isinstance(one, dict | list) and one != two


def _plain(text: str) -> str:
    """Without times, such as those of the last lines of a report."""
    return re.sub(r"^.*\b(cost|compared|seconds?)\b.*$", "", text, flags=re.MULTILINE)


def differences(before: Any, after: Any, where: str = "") -> list[str]:
    """Where two records differ, and how; what is only in the newer one is no difference, but new."""
    if isinstance(before, dict) and isinstance(after, dict):
        gone = [f"{where}/{key}: no longer there" for key in before if key not in after]
        return gone + [
            line for key in before if key in after for line in differences(before[key], after[key], f"{where}/{key}")
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            line
            for number, (a, b) in enumerate(zip(before, after, strict=True))
            for line in differences(a, b, f"{where}/{number}")
        ]
    if before is None or before == after:
        return []
    if isinstance(before, str) and isinstance(after, str) and _plain(before) == _plain(after):
        return []
    return [f"{where}: {str(before)[:300]!r} became {str(after)[:300]!r}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("files", nargs="+", type=Path)
    asked = parser.parse_args()
    if asked.what == "record":
        asked.files[0].write_text(json.dumps(record(), indent=1), encoding="utf-8")
        return
    before, after = (json.loads(file.read_text(encoding="utf-8")) for file in asked.files)
    found = [line for name in before for line in differences(before[name], after.get(name, {}), name)]
    print("\n".join(found))
    alike = sum(not differences(before[name], after.get(name, {})) for name in before)
    commands = sum(name.startswith("$") for name in before)
    print(f"{alike} of {len(before)} are the same ({commands} commands, {len(before) - commands} requests)")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
