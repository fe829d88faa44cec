"""The VMC stream: a receiver that knows only the protocol puts the person together again."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import KinegraphError
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.tpose import t_pose
from kinegraph.people.stream import Humanoid, Sender, address

WALK = samples.make("walk").motion


def received(frames: int) -> list[dict[str, tuple[Any, ...]]]:
    """What a receiver on this machine got of some frames of a walk: bone → what was said of it."""
    osc = pytest.importorskip("pythonosc.osc_server", reason="python-osc is not installed")
    from pythonosc.dispatcher import Dispatcher

    got: list[dict[str, tuple[Any, ...]]] = []
    done = threading.Event()

    def ok(_: str, *__: Any) -> None:
        got.append({})

    def bone(_: str, name: str, *values: float) -> None:
        got[-1][name] = values
        if len(got) == frames and len(got[-1]) == len(Humanoid(WALK.skeleton).bones):
            done.set()

    dispatcher = Dispatcher()
    dispatcher.map("/VMC/Ext/OK", ok)
    dispatcher.map("/VMC/Ext/Bone/Pos", bone)
    server = osc.BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        sender = Sender(WALK.skeleton, f"vmc:127.0.0.1:{server.server_address[1]}")
        for frame in range(frames):
            sender.send(WALK.root[20 * frame], WALK.rotations[20 * frame], frame / 30)
        sender.close()
        assert done.wait(20.0)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    return got


def test_a_receiver_gets_every_bone_where_it_is() -> None:
    """Put together by the protocol's rules alone, in Unity's coordinates, every bone is where the joint is, turned as it is."""
    skeleton, humanoid = WALK.skeleton, Humanoid(WALK.skeleton)
    assert {"Hips", "Spine", "Head", "LeftUpperLeg", "RightFoot", "LeftHand", "RightLowerArm"} <= set(humanoid.bones)
    _, rest = kinematics.forward(skeleton, np.zeros(3), t_pose(skeleton))
    for number, bones in enumerate(received(3)):
        assert set(bones) == set(humanoid.bones)
        places: dict[str, Any] = {}
        turns: dict[str, Any] = {}
        for bone in humanoid.bones:
            x, y, z, i, j, k, w = bones[bone]
            # Unity's left-handed coordinates as ours
            local, turn = np.array([-x, y, z]), np.array([w, i, -j, -k])
            over = humanoid.above[bone]
            if over is None:
                places[bone], turns[bone] = local, turn
            else:
                places[bone] = places[over] + rotation.rotate(turns[over], local)
                turns[bone] = rotation.multiply(turns[over], turn)
        for bone, joint in humanoid.bones.items():
            own = rotation.multiply(turns[bone], rest[joint])
            assert np.degrees(rotation.angle_between(own, WALK.orientations[20 * number, joint])) < 0.1
            assert np.linalg.norm(places[bone] - WALK.positions[20 * number, joint]) < 0.001


@pytest.mark.parametrize("where", ["osc:127.0.0.1:1", "vmc", "vmc:", "vmc:host:0", "vmc:host:port", "vmc:host:70000"])
def test_an_address_that_makes_no_sense_is_refused(where: str) -> None:
    with pytest.raises(KinegraphError, match="vmc:HOST:PORT"):
        address(where)
