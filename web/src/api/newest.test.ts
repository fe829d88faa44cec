import { beforeEach, describe, expect, it, vi } from "vitest";
import { Latest } from "./newest";

interface Sent {
  question: string;
  signal: AbortSignal;
  answer: (text: string) => void;
  fail: (error: Error) => void;
}

let sent: Sent[];
let answers: string[];
let failures: string[];
let busy: boolean;
let clock: number;
let latest: Latest<string, string>;
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

beforeEach(() => {
  sent = [];
  answers = [];
  failures = [];
  busy = false;
  clock = 0;
  latest = new Latest<string, string>(
    (question, signal) =>
      new Promise((answer, fail) => {
        sent.push({ question, signal, answer, fail });
      }),
    {
      answered: (answer) => answers.push(answer),
      failed: (error) => failures.push(String(error)),
      busy: (now) => {
        busy = now;
      },
    },
    () => clock,
  );
});

const at = (index: number): Sent => sent[index] as Sent;
const underWay = () => sent.filter((one) => !one.signal.aborted).map((one) => one.question);

describe("latest", () => {
  it("breaks off the old question for a new one, and ignores its answer", async () => {
    latest.ask("a");
    latest.ask("b");
    expect(at(0).signal.aborted).toBe(true);
    at(0).answer("A");
    at(1).answer("B");
    await settle();
    expect(answers).toEqual(["B"]);
    expect(busy).toBe(false);
  });

  it("breaks off once only until an answer comes, and then asks the newest", async () => {
    latest.ask("a");
    latest.ask("b");
    latest.ask("c");
    latest.ask("d");
    expect(underWay()).toEqual(["b"]);
    at(1).answer("B");
    await settle();
    expect(answers).toEqual(["B"]);
    expect(sent.map((one) => one.question)).toEqual(["a", "b", "d"]);
    expect(busy).toBe(true);
    at(2).answer("D");
    await settle();
    expect(answers).toEqual(["B", "D"]);
    expect(busy).toBe(false);
  });

  it("breaks off what takes too long, however often", () => {
    latest.ask("a");
    latest.ask("b");
    clock = 10_000;
    latest.ask("c");
    expect(underWay()).toEqual(["c"]);
  });

  it("lets a stream of patient questions be answered as it goes", async () => {
    latest.ask("a", { patient: true });
    latest.ask("b", { patient: true });
    latest.ask("c", { patient: true });
    expect(underWay()).toEqual(["a"]);
    at(0).answer("A");
    await settle();
    expect(answers).toEqual(["A"]);
    expect(sent.map((one) => one.question)).toEqual(["a", "c"]);
  });

  it("waits for a newer one where it is told to", () => {
    vi.useFakeTimers();
    latest.ask("a", { wait: 50 });
    vi.advanceTimersByTime(40);
    latest.ask("b", { wait: 50 });
    vi.advanceTimersByTime(40);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(underWay()).toEqual(["b"]);
    vi.useRealTimers();
  });

  it("breaks off at once what gives way, even for a patient question", async () => {
    latest.ask("a", { yielding: true });
    latest.ask("b", { patient: true });
    expect(underWay()).toEqual(["b"]);
    latest.ask("c", { patient: true });
    expect(underWay()).toEqual(["b"]);
  });

  it("is busy for as long as an answer leads to another question", async () => {
    const twice = new Latest<string, string>(
      (question, signal) => new Promise((answer, fail) => sent.push({ question, signal, answer, fail })),
      {
        answered: (answer, question) => {
          answers.push(answer);
          if (question === "draft") twice.ask("whole", { yielding: true });
        },
        failed: () => {},
        busy: (now) => {
          busy = now;
        },
      },
    );
    twice.ask("draft");
    at(0).answer("D");
    await settle();
    expect(answers).toEqual(["D"]);
    expect(underWay()).toEqual(["draft", "whole"]);
    expect(busy).toBe(true);
    at(1).answer("W");
    await settle();
    expect(answers).toEqual(["D", "W"]);
    expect(busy).toBe(false);
  });

  it("tells a failure, and goes on", async () => {
    latest.ask("a");
    at(0).fail(new Error("no way"));
    await settle();
    expect(failures).toEqual(["Error: no way"]);
    latest.ask("b");
    at(1).answer("B");
    await settle();
    expect(answers).toEqual(["B"]);
  });

  it("is quiet after a cancel", async () => {
    latest.ask("a");
    latest.ask("b", { patient: true });
    latest.cancel();
    at(0).answer("A");
    await settle();
    expect(answers).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(busy).toBe(false);
  });
});
