"""A person sent to other programs as it moves, by the VMC protocol: OSC over UDP, which Unity, Unreal, Blender and VRM viewers understand.

Every frame goes as one bundle: the root, then every bone of Unity's humanoid set that the body has. A bone's rotation is told against a
T-pose in which all bones are turned like the world, and its place against the bone above; both in Unity's coordinates, whose X goes to
the right.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import KinegraphError, MissingExtraError
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.motion.tpose import t_pose

PORT = 39539
"""Where programs listen unless told otherwise."""
# the bones of Unity's humanoid by the roles of ours; the first role that a body has is taken
_BONES = {
    "Hips": ("hips",),
    "Spine": ("spine",),
    "Chest": ("chest",),
    "Neck": ("neck",),
    "Head": ("head",),
    **{
        f"{side}{bone}": (f"{side.lower()}_{role}",)
        for side in ("Left", "Right")
        for bone, role in (
            ("UpperLeg", "hip"),
            ("LowerLeg", "knee"),
            ("Foot", "ankle"),
            ("Toes", "toe"),
            ("Shoulder", "collar"),
            ("UpperArm", "shoulder"),
            ("LowerArm", "elbow"),
            ("Hand", "wrist"),
        )
    },
}


@dataclass(frozen=True, eq=False)
class Humanoid:
    """A skeleton as the humanoid that other programs know."""

    skeleton: Skeleton

    @cached_property
    def bones(self) -> dict[str, int]:
        """Bone → joint, from the hips outwards."""
        found = {}
        for bone, roles in _BONES.items():
            joint = next((self.skeleton.roles[role] for role in roles if role in self.skeleton.roles), None)
            if joint is not None:
                found[bone] = joint
        return found

    @cached_property
    def above(self) -> dict[str, str | None]:
        """Bone → the bone that it hangs on; None for the hips."""
        owner = {joint: bone for bone, joint in self.bones.items()}
        found: dict[str, str | None] = {}
        for bone, joint in self.bones.items():
            at = int(self.skeleton.parents[joint])
            while at >= 0 and at not in owner:
                at = int(self.skeleton.parents[at])
            found[bone] = owner.get(at)
        return found

    @cached_property
    def _rest(self) -> Array:
        """How joints are turned in the T-pose ``(J, 4)``."""
        return kinematics.forward(self.skeleton, np.zeros(3), t_pose(self.skeleton))[1]

    def told(self, root: Array, rotations: Array) -> dict[str, tuple[Array, Array]]:
        """Of every bone at a frame its place ``(3,)`` and rotation ``(4,)`` (x y z w) against the bone above, in Unity's coordinates.

        root ``(3,)``, rotations ``(J, 4)``: as in a `Motion`. The place of the hips is theirs in the world.
        """
        places, turns = kinematics.forward(self.skeleton, root, rotations)
        # how far each joint is turned off its T-pose, in the world
        off = rotation.multiply(turns, rotation.inverse(self._rest))
        found = {}
        for bone, joint in self.bones.items():
            over = self.above[bone]
            if over is None:
                place, turn = places[joint], off[joint]
            else:
                top = self.bones[over]
                # joints between two bones turn too: the place is as they have it just now
                place = rotation.rotate(rotation.inverse(off[top]), places[joint] - places[top])
                turn = rotation.multiply(rotation.inverse(off[top]), off[joint])
            found[bone] = _unity_place(place), _unity_turn(turn)
        return found


class Sender:
    """Sends a person to a program that listens."""

    def __init__(self, skeleton: Skeleton, where: str) -> None:
        """where: ``vmc:HOST:PORT``."""
        self.host, self.port = address(where)
        self.humanoid = Humanoid(skeleton)
        self._client = _client(where)

    def close(self) -> None:
        """Let go of the socket."""
        self._client._sock.close()

    def send(self, root: Array, rotations: Array, seconds: float) -> None:
        """Send a frame: ``root (3,)`` and ``rotations (J, 4)``, at so many seconds."""
        from pythonosc import osc_bundle_builder, osc_message_builder

        bundle = osc_bundle_builder.OscBundleBuilder(osc_bundle_builder.IMMEDIATELY)

        def say(to: str, *values: Any) -> None:
            message = osc_message_builder.OscMessageBuilder(address=to)
            for value in values:
                message.add_arg(value)
            bundle.add_content(message.build())

        say("/VMC/Ext/OK", 1)
        say("/VMC/Ext/T", float(seconds))
        told = self.humanoid.told(root, rotations)
        say("/VMC/Ext/Root/Pos", "root", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        for bone, (place, turn) in told.items():
            say("/VMC/Ext/Bone/Pos", bone, *map(float, place), *map(float, turn))
        try:
            self._client.send(bundle.build())
        except OSError as error:
            raise KinegraphError(f"vmc:{self.host}:{self.port}: cannot send: {error.strerror or error}") from error


def send(motion: Motion, where: str, told: Callable[[str], None] | None = None) -> None:
    """Send a motion, frame by frame, at the pace at which it was captured."""
    sender = Sender(motion.skeleton, where)
    try:
        _sent(motion, sender)
    finally:
        sender.close()
    if told is not None:
        told(f"{len(motion):,} frames sent to {sender.host}:{sender.port}")


def check(where: str) -> None:
    """Complain of a stream that cannot be, before anything is made for it."""
    _client(where)._sock.close()


def _client(where: str) -> Any:
    """What sends to an address; nobody has to listen there yet."""
    host, port = address(where)
    try:
        from pythonosc.udp_client import UDPClient
    except ImportError as error:
        raise MissingExtraError("sending a person to other programs", "stream") from error
    try:
        return UDPClient(host, port)
    except OSError as error:
        raise KinegraphError(f"vmc:{host}:{port}: cannot be reached: {error.strerror or error}") from error


def _sent(motion: Motion, sender: Sender) -> None:
    begun = time.monotonic()
    for frame in range(len(motion)):
        seconds = frame / motion.fps
        time.sleep(max(begun + seconds - time.monotonic(), 0.0))
        sender.send(motion.root[frame], motion.rotations[frame], seconds)


def address(where: str) -> tuple[str, int]:
    """Host and port of a stream; the port may be left out.

    >>> address("vmc:127.0.0.1:39540"), address("vmc:127.0.0.1")
    (('127.0.0.1', 39540), ('127.0.0.1', 39539))
    """
    kind, _, rest = where.partition(":")
    host, _, port = rest.rpartition(":") if ":" in rest else (rest, "", str(PORT))
    if kind != "vmc" or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise KinegraphError(f"a stream is vmc:HOST:PORT, such as vmc:127.0.0.1:{PORT}; got {where!r}")
    return host, int(port)


def _unity_place(place: Array) -> Array:
    return place * [-1.0, 1.0, 1.0]


def _unity_turn(turn: Array) -> Array:
    """w x y z of ours as x y z w of theirs."""
    w, x, y, z = turn
    return np.array([x, -y, -z, w])
