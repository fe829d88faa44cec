/** Where the stage stands in the page, and what of the page's state it follows. */
import { effect, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Stage } from "../stage/stage";
import * as heroes from "../state/hero";
import * as playback from "../state/playback";
import { drawsPlainly, stage as current } from "../state/stage";
import { dark, grid, plain, room, server, toast } from "../state/store";
import { Empty } from "../ui";
import { followed, followsIn, keptViews } from "./state";
import { StageTools } from "./views";

/** `?plain=1` in the address, or the setting; null lets the stage find out. */
function plainWish(): boolean | null {
  const told = new URLSearchParams(location.search).get("plain");
  return told === null ? plain.value : told !== "0";
}

/** Call once what was last rendered is on the screen; returns what calls it off. */
function afterPaint(run: () => void): () => void {
  let timer = 0;
  const frame = requestAnimationFrame(() => (timer = window.setTimeout(run, 30)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

export function StageHost(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState(false);
  const [ready, setReady] = useState(false);
  const loaded = server.value !== null;
  // the page with its data is painted first: making the stage ready takes the graphics process a while
  useEffect(() => {
    if (!loaded) return;
    return afterPaint(() => {
      performance.mark("kinegraph-data");
      setReady(true);
    });
  }, [loaded]);
  useEffect(() => {
    if (!ready) return;
    let stage: Stage;
    try {
      stage = new Stage(box.current!, {
        plain: plainWish(),
        onPlain() {
          drawsPlainly.value = true;
          toast("Pictures take long here, so shadows are off. The settings at the top right bring them back.");
        },
      });
    } catch {
      setRefused(true);
      return;
    }
    stage.camera.views = keptViews.value;
    stage.camera.onChange = () => {
      keptViews.value = stage.camera.views;
      followed.value = stage.camera.followed !== null;
    };
    current.value = stage;
    playback.breathe(() => stage.breath);
    const ends = [
      heroes.follow(),
      effect(() => stage.setTime(playback.time.value)),
      effect(() => void (stage.dark = dark.value)),
      effect(() => void (stage.grid = grid.value)),
      effect(() => {
        if (plain.value !== null && new URLSearchParams(location.search).get("plain") === null) stage.setPlain(plain.value);
        drawsPlainly.value = stage.plain;
      }),
      effect(() => {
        const on = followsIn(room.value);
        untracked(() => void (stage.following = on));
      }),
    ];
    return () => {
      ends.forEach((end) => end());
      playback.breathe(() => 0);
      current.value = null;
      stage.dispose();
    };
  }, [ready]);
  return (
    <div class="stage" aria-label="Stage" role="region">
      <div class="stage-canvas" ref={box} />
      {refused ? (
        <Empty title="No 3D here" text="This browser gives no WebGL, so figures cannot be drawn. Try another browser, or switch its hardware acceleration on." icon="warning" />
      ) : (
        <StageTools />
      )}
    </div>
  );
}
