/** The studio begins. */
import { render } from "preact";
import { App } from "./app";
import { enter, follow } from "./shell/address";
import * as playback from "./state/playback";
import { stage } from "./state/stage";
import * as store from "./state/store";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/timeline.css";

declare global {
  interface Window {
    /** for tests, and for the curious at the console */
    kinegraph: { readonly stage: typeof stage.value; store: typeof store; playback: typeof playback };
  }
}

window.kinegraph = {
  get stage() {
    return stage.value;
  },
  store,
  playback,
};

enter();
const begun = store.start().then(follow);
render(<App />, document.getElementById("app")!);
begun.catch((error: unknown) => store.complain(error, { label: "Try again", run: () => store.refresh() }));
