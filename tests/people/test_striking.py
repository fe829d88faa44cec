"""People who are steered strike at targets: they come near, hit, and go on, and nothing jumps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import FormatError, GraphError, SpaceError
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.feet.sole import underfoot
from kinegraph.graph.model import Clip, Edges, LabelSpan, MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.people import People, Person
from kinegraph.people.body import soles_of
from kinegraph.people.stick import Intent, Stick, read
from kinegraph.people.ways import _GROWN
from kinegraph.strikes.space import Space
from tests.cli.inprocess import call

PUNCH, KICK = "right punch", "right kick"
HEIGHT = {PUNCH: 1.35, KICK: 0.8}
# a strike that was asked for is over by then, walking up to a target two metres away and back into the graph included
LONGEST = 12.0


def struck(person: Person, action: str, target: tuple[float, float, float], velocity: tuple[float, float]) -> None:
    """Ask for a strike, and step until it is over."""
    person.step(velocity, action=action, target=target)
    for _ in range(round(LONGEST * person.graph.fps)):
        if not person.acting:
            return
        person.step(velocity)
    raise AssertionError(f"{action} is still going on after {LONGEST:g} s")


def around(person: Person, degrees: float, metres: float, height: float) -> tuple[float, float, float]:
    """A target that far from where a person is, in a direction of the world."""
    x, _, z = person.motion.root[-1]
    angle = np.radians(degrees)
    return float(x + metres * np.sin(angle)), height, float(z + metres * np.cos(angle))


def miss(person: Person, space: Space) -> float:
    """Metres by which the last strike misses, measured from the pose that was shown."""
    strike = person.strikes[-1]
    assert strike.hit_frame is not None
    end = person.motion.positions[strike.hit_frame, space.examples.end]
    return float(np.linalg.norm(end - strike.target))


@pytest.mark.parametrize("action", [PUNCH, KICK])
@pytest.mark.parametrize("velocity", [(0.0, 0.0), (0.0, 1.2)])
@pytest.mark.parametrize("degrees", [0, 50, 130, 180, -90])
@pytest.mark.parametrize("metres", [0.7, 2.0])
def test_targets_all_round_are_hit(
    library: MotionGraph, spaces: list[Space], action: str, velocity: tuple[float, float], degrees: int, metres: float
) -> None:
    person = Person(library, spaces=spaces)
    for _ in range(60):
        person.step(velocity)
    struck(person, action, around(person, degrees, metres, HEIGHT[action]), velocity)
    assert person.strikes[-1].state == "done", person.strikes[-1].why
    assert miss(person, person.people.spaces[action]) < 0.01
    assert person.strikes[-1].miss == pytest.approx(miss(person, person.people.spaces[action]), abs=1e-9)


@pytest.fixture(scope="module")
def fight(library: MotionGraph, spaces: list[Space]) -> Person:
    """Six strikes between walks."""
    person = Person(library, spaces=spaces)
    rng = np.random.default_rng(1)
    for number in range(6):
        angle = rng.uniform(-np.pi, np.pi)
        velocity = float(1.2 * np.sin(angle)), float(1.2 * np.cos(angle))
        for _ in range(60):
            person.step(velocity)
        action = (PUNCH, KICK)[number % 2]
        target = around(person, rng.uniform(-180, 180), rng.uniform(0.5, 2.5), HEIGHT[action] + rng.uniform(-0.15, 0.1))
        struck(person, action, target, velocity)
    for _ in range(90):
        person.step((0.0, 1.2))
    return person


def test_all_are_done_and_then_the_stick_is_obeyed(fight: Person) -> None:
    assert [strike.state for strike in fight.strikes] == ["done"] * 6
    assert max(strike.miss or 0.0 for strike in fight.strikes) < 0.01
    went = (fight.motion.root[-1] - fight.motion.root[-45])[[0, 2]] / 44 * fight.graph.fps
    assert went[1] == pytest.approx(1.2, rel=0.25)
    assert abs(went[0]) < 0.3


def test_held_feet_stand_still_through_strikes_and_stay_above_the_floor(fight: Person) -> None:
    motion = fight.motion
    points = underfoot(motion, soles_of(fight.graph))
    # the report of what was held names the frames
    plants = fight.finished().feet
    assert plants is not None
    assert len(plants.plants) > 40
    sides = ("left", "right")
    for plant in plants.plants:
        part = 0 if plant.part == "heel" else 1
        own: Array = points[plant.first : plant.last, sides.index(plant.side), part][:, [0, 2]]
        assert np.hypot(*(own - own[0]).T).max() < 0.001
    assert motion.positions[..., 1].min() > -0.005


def speeds(motion: Motion) -> Array:
    """m/s ``(F - 1, J)``."""
    return np.linalg.norm(np.diff(motion.positions, axis=0), axis=-1) * motion.fps


def test_nothing_jumps(fight: Person, spaces: list[Space]) -> None:
    finished = fight.finished()
    jump = evaluate(finished.motion, finished=finished).velocity_jump
    assert jump is not None
    assert jump.ratio is not None
    assert jump.ratio < 1.5
    sources = [speeds(clip.motion) for clip in fight.graph.clips]
    sources += [speeds(space.reach(hit[:2]).motion) for space in spaces for hit in space.examples.hits]
    every = np.concatenate(sources)
    shown = speeds(fight.motion)
    # a strike is faster than most of what there is, but no transition is; and nothing is faster than strikes are
    blended = finished.performance.blended
    assert shown[blended[1:] | blended[:-1]].max() < 1.5 * np.percentile(every, 99)
    assert shown.max() < 1.05 * every.max()


def test_every_frame_is_known_by_where_it_came_from(fight: Person) -> None:
    played = fight.finished().performance
    assert len(played.clip) == len(fight)
    graph = played.walk.graph
    for strike in fight.strikes:
        assert strike.hit_frame is not None
        name = graph.clips[played.clip[strike.hit_frame]].name
        assert name.startswith(strike.space.name)
        assert not played.blended[strike.hit_frame]
    labels = played.labels()
    assert labels["punch"].any()
    assert labels["kick"].any()
    # what is played of the walk is what was shown, but for what holding feet and stepping over changed in the legs
    hips = np.linalg.norm(played.motion.root - fight.motion.root, axis=1)
    assert np.percentile(hips, 90) < 0.1


def test_somebody_who_is_just_striking_can_be_kept(library: MotionGraph, spaces: list[Space]) -> None:
    person = Person(library, spaces=spaces)
    person.step(action=PUNCH, target=(0.0, 1.35, 0.9))
    while person.acting:
        finished = person.finished()
        assert len(finished.motion) == len(finished.performance.clip) == len(person)
        for _ in range(7):
            person.step()


def test_many_strike_at_targets_of_their_own(library: MotionGraph, spaces: list[Space]) -> None:
    people = People(library, 4, spaces=spaces)
    wished = np.array([(0.0, 1.2), (0.0, 0.0), (1.2, 0.0), (0.0, -1.2)])
    targets = np.array([(0.3, 1.3, 3.0), (0.0, 0.8, 1.0), (np.nan,) * 3, (0.5, 1.4, -3.0)])
    people.step(wished, action=[PUNCH, KICK, "", PUNCH], target=targets)
    assert people.acting == [PUNCH, KICK, "", PUNCH]
    for _ in range(360):
        people.step(wished)
    assert people.acting == [""] * 4
    assert people.strikes[2] is None
    for number in (0, 1, 3):
        strike = people.strikes[number]
        assert strike is not None
        assert strike.state == "done"
        assert strike.miss is not None
        assert strike.miss < 0.01
    # nobody waits for those who strike
    assert people.root[2, 0] > 8.0


def test_what_is_too_high_is_told_and_nobody_tries(library: MotionGraph, spaces: list[Space]) -> None:
    person = Person(library, spaces=spaces)
    person.step(action=PUNCH, target=(0.0, 2.6, 1.0))
    assert person.acting == ""
    assert person.strikes[-1].state == "failed"
    assert "2.60 m by" in person.notices[0]


def test_what_cannot_be_come_near_is_given_up(library: MotionGraph, spaces: list[Space]) -> None:
    """A target that always runs away."""
    person = Person(library, spaces=spaces)
    person.step(action=PUNCH, target=(0.0, 1.3, 3.0))
    strike = person.people.strikes[0]
    assert strike is not None
    assert strike.stances is not None
    for _ in range(round(60 * library.fps)):
        if not person.acting:
            break
        strike.stances = replace(strike.stances, target=person.motion.root[-1] + np.array([0.0, 0.0, 5.0]))
        person.step()
    assert strike.state == "failed"
    assert "given up" in person.notices[0]
    before = person.motion.root[-1]
    for _ in range(90):
        person.step((1.2, 0.0))
    assert person.motion.root[-1, 0] > before[0] + 1.5


@pytest.mark.parametrize(
    ("wished", "says"),
    [
        ({"action": "uppercut", "target": (0.0, 1.3, 1.0)}, "there are 'right punch', 'right kick'"),
        ({"action": PUNCH, "target": (0.0, 1.3)}, "targets"),
        ({"action": PUNCH, "target": (0.0, np.inf, 1.0)}, "finite"),
        ({"action": PUNCH}, PUNCH),
    ],
)
def test_what_makes_no_sense_is_refused(
    library: MotionGraph, spaces: list[Space], wished: dict[str, object], says: str
) -> None:
    person = Person(library, spaces=spaces)
    with pytest.raises((GraphError, SpaceError), match=says):
        person.step(**wished)  # type: ignore[arg-type]
    assert len(person) == 1


def test_a_space_of_another_body_is_refused(library: MotionGraph, spaces: list[Space]) -> None:
    body = spaces[0].examples.skeleton
    longer = replace(body, offsets=1.1 * body.offsets)
    person = Person(library, spaces=replace(spaces[0], examples=replace(spaces[0].examples, skeleton=longer)))
    with pytest.raises(GraphError, match="another body"):
        person.step(action=PUNCH, target=(0.0, 1.3, 1.0))


def test_a_graph_in_which_nobody_stands_strikes_too(straight: MotionGraph, spaces: list[Space]) -> None:
    person = Person(straight, spaces=spaces)
    struck(person, PUNCH, (0.5, 1.3, 3.0), (0.0, 1.2))
    assert person.strikes[-1].state == "done", person.strikes[-1].why
    assert miss(person, spaces[0]) < 0.01


STICK = "t,x,z,action,tx,ty,tz\n0,0,1.2,,,,\n1,0,1.2,right punch,0.5,1.4,3\n6,1.2,0,,,,\n8,0,0,,,,\n"


def test_a_stick_strikes_from_the_spaces_in_the_graphs_own_file(
    library: MotionGraph, spaces: list[Space], tmp_path: Path
) -> None:
    file, stick = tmp_path / "g.mog", tmp_path / "stick.csv"
    kg.graph.save(library, file)
    for space in spaces:
        kg.strikes.save(space, file)
    stick.write_text(STICK, "utf-8")
    made, again = (kg.steer(str(file), stick=str(stick)) for _ in range(2))
    assert made.motion.rotations.tobytes() == again.motion.rotations.tobytes()
    assert made.motion.root.tobytes() == again.motion.root.tobytes()
    (strike,) = made.quality["strikes"]
    assert strike["space"] == PUNCH
    assert strike["miss_cm"] < 1.0
    assert made.marks == {strike["hit_frame"]: "hit"}
    assert made.provenance is not None
    assert made.provenance.clips[made.provenance.clip[strike["hit_frame"]]].startswith(PUNCH)
    assert "mm off" in str(made)
    # the same with spaces that are given
    given = kg.steer(library, stick=str(stick), spaces=str(file))
    assert given.motion.rotations.tobytes() == made.motion.rotations.tobytes()


def test_a_stick_that_ends_too_soon_or_aims_too_high_says_so(library: MotionGraph, spaces: list[Space]) -> None:
    soon = Stick.of([(0.0, (0.0, 1.2), None, "", PUNCH, (0.0, 1.3, 3.0)), (1.0,)])
    high = Stick.of([(0.0, (0.0, 1.2), None, "", PUNCH, (0.0, 2.8, 3.0)), (1.0,)])
    assert any("ended before 'right punch'" in one for one in kg.steer(library, stick=soon, spaces=spaces).notices)
    assert any("does not hit" in one for one in kg.steer(library, stick=high, spaces=spaces).notices)


def test_targets_in_sticks_are_read(tmp_path: Path) -> None:
    file = tmp_path / "stick.csv"
    file.write_text(STICK, "utf-8")
    assert read(file).intents[1] == Intent(1.0, (0.0, 1.2), None, "", PUNCH, (0.5, 1.4, 3.0))
    for wrong, says in (
        ("right punch,0.5,,3", "all three"),
        (",0.5,1.4,3", "name of a space"),
        ("a,b,1,2", "tx: expected"),
    ):
        file.write_text(f"t,x,z,action,tx,ty,tz\n0,0,1,{wrong}\n1,0,0,,,,\n", "utf-8")
        with pytest.raises(FormatError, match=says):
            read(file)


def test_several_labels_at_once_are_kept_to(library: MotionGraph) -> None:
    person = Person(library)
    for _ in range(240):
        person.step((0.0, 1.3), label="walk+!run")
    borne = person.finished().performance.labels(["walk+!run"])
    assert borne["walk+!run"][120:].mean() > 0.9
    for _ in range(240):
        person.step((0.0, 3.0), label="run|jump")
    assert person.finished().performance.labels(["run|jump"])["run|jump"][360:].mean() > 0.9
    with pytest.raises(GraphError, match="swim"):
        person.step(label="walk|swim")


def test_a_graph_with_one_label_only_works_and_refuses_it_as_an_action(straight: MotionGraph) -> None:
    only = replace(
        straight,
        clips=tuple(replace(clip, spans=(LabelSpan("go", 0, len(clip)),)) for clip in straight.clips),
    )
    person = Person(only)
    for _ in range(60):
        person.step((0.0, 1.2), label="go")
    with pytest.raises(GraphError, match="every frame of this graph is 'go'"):
        person.step(action="go")


def stuck(graph: MotionGraph, *, ends: bool) -> MotionGraph:
    """A graph out of whose jump no transition leads; ends: and in which nothing comes after it."""
    jumps = graph.node_clip == graph.clip_index["jump"]
    edges = graph.edges
    inside = jumps[edges.source] & jumps[edges.target]
    kept = ~jumps[edges.source] | (inside & (edges.kind == 0 if ends else np.ones(len(edges), bool)))
    names = ("source", "target", "kind", "length", "cost", "angle", "x", "z")
    columns = {name: getattr(edges, name)[kept] for name in names}
    last, first = int(np.flatnonzero(jumps)[-1]), int(np.flatnonzero(jumps)[0])
    if not ends:
        # round and round
        more = {"source": last, "target": first, "kind": 1, "length": 5, "cost": 0.05, "angle": 0.0, "x": 0.0, "z": 0.0}
        columns = {name: np.append(values, more[name]) for name, values in columns.items()}
        order = np.lexsort((columns["target"], columns["kind"], columns["source"]))
        columns = {name: values[order] for name, values in columns.items()}

    def labelled(clip: Clip) -> Clip:
        label = "jump" if clip.name == "jump" else "rest"
        return replace(clip, spans=(LabelSpan(label, 0, len(clip)),))

    made = replace(graph, clips=tuple(map(labelled, graph.clips)), edges=Edges(**columns), making=None)
    # no more ways are looked for in it
    _GROWN.add(made)
    return made


def test_an_action_that_leads_nowhere_is_refused(library: MotionGraph) -> None:
    person = Person(stuck(library, ends=False))
    with pytest.raises(GraphError, match="no way back from 'jump'"):
        person.step(action="jump")


def test_a_graph_in_which_somebody_would_be_stuck_is_refused(library: MotionGraph) -> None:
    graph = stuck(library, ends=True)
    with pytest.raises(GraphError, match=r"clip 'jump' .* would be stuck"):
        Person(graph)


def test_captured_punches_hit_from_captured_walks(cmu: Path) -> None:
    graph = kg.graph.build([kg.load(cmu / "bvh" / f"{name}.bvh") for name in ("143_32", "143_38")])
    space = kg.strikes.build([kg.load(cmu / "bvh" / "143_23.bvh")], "punch")
    person = Person(graph, spaces=space)
    for degrees, height in ((0, 1.22), (90, 1.27), (200, 1.24)):
        for _ in range(45):
            person.step((0.0, 1.2))
        struck(person, space.name, around(person, degrees, 1.8, height), (0.0, 1.2))
        assert person.strikes[-1].state == "done", person.strikes[-1].why
        assert miss(person, space) < 0.01


def test_the_command_strikes_from_spaces_of_another_file(
    library: MotionGraph, spaces: list[Space], tmp_path: Path
) -> None:
    graph, other, stick = tmp_path / "g.mog", tmp_path / "s.mog", tmp_path / "stick.csv"
    kg.graph.save(library, graph)
    kg.strikes.save(spaces[0], other)
    stick.write_text(STICK, "utf-8")
    done = call("live", graph, "--stick", stick, "--spaces", other, "-o", tmp_path / "out.bvh", "--json")
    assert done.json["strikes"][0]["miss_cm"] < 1.0
    refused = call("live", graph, "--stick", stick)
    assert refused.code != 0
    assert "no space is called 'right punch'" in refused.err
