/** The socket of the person who is steered: opened again, ever more patiently, when it breaks. */
import { unpack, type Pack } from "../../api/pack";
import { untilBack, waitBefore } from "../../api/presence";
import type { LivePack, LiveTold, LiveWish } from "../../api/types";
import { readPose, type LivePose } from "./wire";

/** What whoever steers wants to know. */
export interface Listener {
  /** somebody is there to be steered */
  ready(pack: Pack<LivePack>): void;
  pose(pose: LivePose): void;
  told(message: LiveTold): void;
  /** the socket is gone: for good, or it is opened again by itself */
  lost(forGood: boolean): void;
}

export interface Link {
  wish(wish: LiveWish): void;
  /** set out anew, or make a result of what was steered */
  say(what: "again" | "take"): void;
  end(): void;
}

/** Steer somebody on a graph for as long as the link is not ended. */
export function connect(graph: string, listener: Listener): Link {
  let socket: WebSocket;
  let attempt = 0;
  let ended = false;
  let joints = 0;
  let refused = false;

  const send = (message: object): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function hear(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const message = JSON.parse(data) as LiveTold;
      if (message.type === "refused") refused = true;
      listener.told(message);
    } else if (joints === 0) {
      const pack = unpack<LivePack>(data);
      joints = pack.facts.joints.length;
      attempt = 0;
      listener.ready(pack);
    } else {
      const pose = readPose(data, joints);
      // told at once: what is not seen is not sent
      send({ type: "seen", frame: pose.frame });
      listener.pose(pose);
    }
  }

  function open(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    joints = 0;
    refused = false;
    socket = new WebSocket(`${scheme}//${location.host}/api/live?graph=${encodeURIComponent(graph)}`);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (message) => !ended && hear(message.data as string | ArrayBuffer);
    socket.onclose = async () => {
      if (ended) return;
      listener.lost(refused);
      if (refused) return;
      await untilBack();
      if (attempt) await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt)));
      attempt += 1;
      if (!ended) open();
    };
  }

  open();
  return {
    wish: send,
    say: (type) => send({ type }),
    end() {
      ended = true;
      socket.close();
    },
  };
}
