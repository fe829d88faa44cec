/** Questions to a slow answerer of which only the newest matters: at most one is under way. */

/** What happens to the answers. */
export interface Listener<Question, Answer> {
  answered(answer: Answer, question: Question): void;
  failed(error: unknown, question: Question): void;
  /** Whether something is being searched or waits to be. */
  busy(now: boolean): void;
}

/** How a question is put. */
export interface Manner {
  /** Waits for the one under way instead of breaking it off: for questions that come in a stream, as while drawing. */
  readonly patient?: boolean;
  /** Milliseconds to wait for a newer question first. */
  readonly wait?: number;
  /** Gives way to any other question: for what is nice to have. */
  readonly yielding?: boolean;
}

/** Milliseconds after which any question under way may be broken off. */
const PATIENCE = 1500;

/**
 * Sends the newest question, never two at a time.
 *
 * A patient question waits for the one under way. Another breaks it off; but only once until there is an answer, since
 * the server may go on with what was broken off: so a stream of questions is answered, too, and at most two of ours
 * ever occupy the server.
 */
export class Latest<Question, Answer> {
  private next: { question: Question; patient: boolean; yielding: boolean } | null = null;
  private flight: { abort: AbortController; yielding: boolean; begun: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private abandoned = 0;

  constructor(
    private readonly send: (question: Question, signal: AbortSignal) => Promise<Answer>,
    private readonly listener: Listener<Question, Answer>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ask; whatever waited before is forgotten. */
  ask(question: Question, manner: Manner = {}): void {
    this.next = { question, patient: manner.patient ?? false, yielding: manner.yielding ?? false };
    this.listener.busy(true);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (manner.wait) this.timer = setTimeout(() => this.due(), manner.wait);
    else this.pump();
  }

  /** Forget what waits and break off what is under way. */
  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.next = null;
    this.flight?.abort.abort();
    this.flight = null;
    this.listener.busy(false);
  }

  private due(): void {
    this.timer = null;
    this.pump();
  }

  private pump(): void {
    if (this.next === null || this.timer !== null) return;
    if (this.flight !== null) {
      const old = this.now() - this.flight.begun > PATIENCE;
      if (!old && !this.flight.yielding && (this.next.patient || this.abandoned > 0)) return;
      this.flight.abort.abort();
      this.flight = null;
      this.abandoned += 1;
    }
    const { question, yielding } = this.next;
    this.next = null;
    const flight = { abort: new AbortController(), yielding, begun: this.now() };
    this.flight = flight;
    this.send(question, flight.abort.signal).then(
      (answer) => this.landed(flight, () => this.listener.answered(answer, question)),
      (error: unknown) => this.landed(flight, () => this.listener.failed(error, question)),
    );
  }

  private landed(flight: object, tell: () => void): void {
    if (this.flight !== flight) return;
    this.flight = null;
    this.abandoned = 0;
    // an answer may lead to another question
    tell();
    this.pump();
    this.listener.busy(this.flight !== null || this.next !== null);
  }
}
