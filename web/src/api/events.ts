/** The stream of the server's events: opened again, ever more patiently, when it breaks. */
import { untilBack, waitBefore } from "./presence";
import type { ServerEvent } from "./types";

/** What follows the stream wants to know. */
export interface Listener {
  event(event: ServerEvent): void;
  /** called with true when the stream opens, with false when it breaks */
  connected(open: boolean): void;
}

/** Follow the server's events for as long as the page lives; returns a function that ends it. */
export function follow(listener: Listener): () => void {
  let socket: WebSocket | null = null;
  let attempt = 0;
  let ended = false;

  function open(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/api/events`);
    socket.onopen = () => {
      attempt = 0;
      listener.connected(true);
    };
    socket.onmessage = (message) => listener.event(JSON.parse(String(message.data)) as ServerEvent);
    socket.onclose = async () => {
      if (ended) return;
      listener.connected(false);
      await untilBack();
      // where requests are answered and streams are not
      if (attempt) await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt)));
      attempt += 1;
      if (!ended) open();
    };
  }

  open();
  return () => {
    ended = true;
    socket?.close();
  };
}
