/** The clips, with their pictures. */
import { computed, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Clip } from "../../api/types";
import { clip, clips, jobs, select, server } from "../../state/store";
import { Button, classes, Empty, Icon, IconButton, Progress, Select, TextField } from "../../ui";
import { ORDERS, type Order } from "./filter";
import { addSamples, chooseFiles, chosenLabels, labels, order, search, second, secondId, shown, uploading } from "./model";
import { playWhenShown } from "./scene";

/** Left of the stage: search, chips, and the clips; or how to begin. */
export function Shelf(): JSX.Element {
  if (!server.value) return <div class="shelf" aria-busy="true" />;
  if (!clips.value.length) return <Welcome />;
  return (
    <div class="shelf">
      <div class="shelf-head">
        <TextField label="Search clips" hideLabel live type="search" placeholder={`Search ${clips.value.length} clips`} value={search.value} onChange={(text) => (search.value = text)} />
        <Select label="Order" hideLabel value={order.value} options={ORDERS} onChange={(value) => (order.value = value as Order)} />
        <IconButton icon="plus" label="Add files" kind="primary" onClick={chooseFiles} />
      </div>
      <Chips />
      {uploading.value > 0 && <Progress value={null} label="Files are read" />}
      <Cards />
    </div>
  );
}

const MOST_CHIPS = 8;

function Chips(): JSX.Element | null {
  const all = labels.value;
  if (!all.length) return null;
  const chosen = chosenLabels.value;
  const listed = [...all.filter(([label]) => chosen.includes(label)), ...all.filter(([label]) => !chosen.includes(label))].slice(0, Math.max(MOST_CHIPS, chosen.length));
  const toggle = (label: string): void =>
    void (chosenLabels.value = chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label]);
  return (
    <div class="chips" role="group" aria-label="Labels">
      {listed.map(([label, count]) => (
        <button key={label} type="button" class={classes("chip", chosen.includes(label) && "on")} aria-pressed={chosen.includes(label)} onClick={() => toggle(label)}>
          {label}
          <small>{count}</small>
        </button>
      ))}
    </div>
  );
}

// so many cards are made at first, and so many more whenever the end comes near
const PAGE = 120;

function Cards(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const most = useSignal(PAGE);
  const listed = useComputed(() => shown.value.slice(0, most.value));
  // where the chosen clip is not listed, the keyboard comes in by the first
  const entered = useComputed(() => listed.value.some((one) => one.id === clip.value?.id)).value;
  const list = shown.value;
  if (!list.length)
    return (
      <Empty title="No clip fits" text="Nothing has all of these words and labels." icon="search">
        <Button
          onClick={() => {
            search.value = "";
            chosenLabels.value = [];
          }}
        >
          Show all clips
        </Button>
      </Empty>
    );
  const keys = (event: KeyboardEvent): void => {
    const cards = [...(box.current?.querySelectorAll<HTMLElement>(".card-main") ?? [])];
    const at = cards.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const top = (card: HTMLElement): number => card.getBoundingClientRect().top;
    // how many stand in one row
    const across = Math.max(cards.findIndex((card) => top(card) > top(cards[0]!) + 4), 1);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: cards.length - 1 }[event.key];
    if (to === undefined) return;
    const next = cards[Math.min(Math.max(to, 0), cards.length - 1)];
    next?.focus();
    next?.click();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="cards"
      ref={box}
      role="listbox"
      aria-label="Clips"
      onKeyDown={keys}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (most.value < list.length && scrollTop + clientHeight > scrollHeight - 600) most.value += PAGE;
      }}
    >
      {listed.value.map((one, index) => (
        <Card key={one.id} one={one} entry={index === 0 && !entered} />
      ))}
    </div>
  );
}

const none = computed(() => clip.value === null);

function Card({ one, entry }: { one: Clip; entry: boolean }): JSX.Element {
  // computed for each: of hundreds of cards, only those are drawn anew for which something has changed
  const chosen = useComputed(() => clip.value?.id === one.id).value;
  const beside = useComputed(() => second.value?.id === one.id).value;
  const choose = (asSecond: boolean): void => {
    if (asSecond && !none.value && !chosen) secondId.value = one.id;
    else {
      playWhenShown();
      select({ clip: one.id });
    }
  };
  return (
    <div class={classes("card", chosen && "on", beside && "beside")}>
      <div
        class="card-main"
        role="option"
        aria-selected={chosen}
        aria-label={one.name}
        tabIndex={chosen || entry ? 0 : -1}
        onClick={(event) => choose(event.shiftKey)}
        onKeyDown={(event) => event.key === "Enter" && choose(event.shiftKey)}
      >
        <span class="thumb">{one.info?.error ? <Icon name="warning" size={24} /> : <img src={`/api/clips/${one.id}/thumbnail.svg`} alt="" loading="lazy" draggable={false} />}</span>
        <span class="card-name" title={one.file}>
          {one.name}
        </span>
        <span class="card-meta">{meta(one)}</span>
      </div>
      {!chosen && !none.value && !one.info?.error && (
        <IconButton
          class="card-compare"
          icon="columns"
          label={beside ? `Take ${one.name} away` : `Show ${one.name} beside the chosen clip`}
          pressed={beside}
          // by keys the panel does it: one stop fewer for each clip
          tabIndex={-1}
          onClick={() => (secondId.value = beside ? null : one.id)}
        />
      )}
    </div>
  );
}

function meta(one: Clip): string {
  const info = one.info;
  if (!info) return "…";
  if (info.error) return "cannot be read";
  const labels = info.labels.slice(0, 2).join(", ");
  return [`${info.seconds.toFixed(1)} s`, labels].filter(Boolean).join(" · ");
}

/** An empty workspace: how to begin. */
function Welcome(): JSX.Element {
  const making = jobs.value.find((job) => job.kind === "samples" && (job.state === "running" || job.state === "queued"));
  const writable = server.value?.workspace.writable ?? true;
  return (
    <div class="shelf welcome">
      <Empty title="Begin with some motion" icon="library" text="The built-in performer walks, turns, runs, sneaks, jumps, punches and kicks: enough to draw a path and see somebody walk it.">
        <Button kind="primary" icon="bolt" disabled={Boolean(making) || !writable} onClick={() => void addSamples()}>
          {making ? "Making the built-in clips…" : "Add the 32 built-in clips"}
        </Button>
        {making && <Progress value={making.total ? making.done / making.total : null} label={making.title} />}
        <Button icon="upload" disabled={!writable} onClick={chooseFiles}>
          Choose files…
        </Button>
        <p class="faint">Or drop BVH, ASF with AMC, GLB or NPZ files anywhere on this page.</p>
        {uploading.value > 0 && <Progress value={null} label="Files are read" />}
      </Empty>
    </div>
  );
}
