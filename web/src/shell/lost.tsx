/** An address that leads nowhere. */
import type { JSX } from "preact";
import { goTo } from "../state/store";
import { Button, Empty } from "../ui";
import { lost } from "./address";

export function Lost(): JSX.Element {
  return (
    <main class="lost">
      <h1 class="unseen">kinegraph</h1>
      <h2 class="unseen">Nothing here</h2>
      <Empty title="There is nothing at this address" icon="search" text={<>No room of the studio is called <code>{lost.value}</code>. The link may be of another version, or cut off.</>}>
        <Button
          kind="primary"
          onClick={() => {
            // the address is read once more when the server's state comes
            history.pushState(null, "", "/library");
            lost.value = null;
            goTo("library");
          }}
        >
          To the library
        </Button>
      </Empty>
    </main>
  );
}
