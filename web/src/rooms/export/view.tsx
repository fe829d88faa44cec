/** Formats as cards, and the text that does the same from the shell or in Python. */

import { useState } from "preact/hooks";
import { server } from "../../state/store";
import { Button, classes, Segmented } from "../../ui";
import { availability, CARDS, cardOf, type FormatCard } from "./formats";
import { copy, recipe, recipeProblem, suffix } from "./model";
import "./export.css";

export function Formats() {
  return (
    <div class="export-view">
      <div class="export-cards" role="radiogroup" aria-label="Format">
        {CARDS.map((card) => (
          <Card key={card.key} card={card} />
        ))}
      </div>
      <Code />
    </div>
  );
}

function Card({ card }: { card: FormatCard }) {
  const formats = server.value?.formats.write ?? [];
  const usable = card.endings.find((ending) => availability(ending, formats).available);
  const on = cardOf(suffix.value) === card;
  return (
    <label class={classes("export-card", on && "on", !usable && "off")}>
      <input
        type="radio"
        name="export-format"
        checked={on}
        aria-label={`${card.name}: ${card.use}${usable ? "" : " Not available here."}`}
        onChange={() => {
          suffix.value = usable ?? card.endings[0]!;
        }}
      />
      <b>{card.name}</b>
      <code>{usable ? card.endings[0] : "not here"}</code>
      <span>{card.use}</span>
    </label>
  );
}

/** The exact equivalent of what is on screen. */
function Code() {
  const [kind, setKind] = useState<"command" | "python">("command");
  const now = recipe.value;
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
