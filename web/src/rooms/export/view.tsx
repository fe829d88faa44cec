/** Formats as cards, and the text that does the same from the shell or in Python. */

import { useState } from "preact/hooks";
import { copy } from "../../state/clipboard";
import { narrow } from "../../shell/state";
import { Button, classes, Segmented } from "../../ui";
import type { FormatCard } from "./formats";
import { server } from "../../state/store";
import { placed } from "./formats";
import { card as chosen, cards, chooseFormat, recipe, recipeProblem } from "./model";
import "./export.css";

export function Formats() {
  return (
    <div class="export-view">
      <div class="export-cards" role="radiogroup" aria-label="Format">
        {cards.value.map((card) => (
          <Card key={card.name} card={card} />
        ))}
      </div>
      {/* a phone's screen has no room for it beside what is shown */}
      {!narrow.value && <Code />}
    </div>
  );
}

function Card({ card }: { card: FormatCard }) {
  const first = card.endings[0]!;
  const usable = card.endings.find((ending) => ending.available);
  const on = chosen.value === card;
  return (
    <label class={classes("export-card", on && "on", !usable && "off")}>
      <input
        type="radio"
        name="export-format"
        checked={on}
        aria-label={`${card.name}: ${first.use}${usable ? "" : " Not available here."}`}
        onChange={() => chooseFormat(usable ?? first)}
      />
      <b>{card.name}</b>
      <code>{usable ? first.suffix : "not here"}</code>
      <span>{first.use}</span>
    </label>
  );
}

/** The exact equivalent of what is on screen. */
export function Code() {
  const [kind, setKind] = useState<"command" | "python">("command");
  const folder = server.value?.workspace.folder ?? "";
  const now = recipe.value && placed(recipe.value, folder);
  return (
    <section class="export-code" aria-label="The same by command">
      <header>
        <h3>The same, without the studio</h3>
        <Segmented
          label="Language"
          hideLabel
          value={kind}
          options={[{ value: "command", label: "Command" }, { value: "python", label: "Python" }]}
          onChange={(next) => setKind(next as "command" | "python")}
        />
      </header>
      <pre tabIndex={0} aria-label={kind === "command" ? "Command" : "Python"}>
        {now ? now[kind] : (recipeProblem.value ?? "Choose a motion to see how it is made and written.")}
      </pre>
      <footer>
        <Button icon="copy" disabled={!now} onClick={() => now && void copy(now.command, "The command")}>Copy command</Button>
        <Button icon="copy" disabled={!now} onClick={() => now && void copy(now.python, "The Python script")}>Copy Python</Button>
      </footer>
    </section>
  );
}
