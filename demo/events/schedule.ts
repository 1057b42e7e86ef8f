import { DAY_SECONDS } from '../world/growth.js';
import type { DemoEvent } from './demo-event.js';

/** Stores future events by day. Ignores events after the end of the demo or after the deletion of their repository. */
export class Schedule {
  readonly #startSeconds: number;
  readonly #endSeconds: number;
  readonly #days = new Map<number, DemoEvent[]>();

  constructor(startSeconds: number, endSeconds: number) {
    this.#startSeconds = startSeconds;
    this.#endSeconds = endSeconds;
  }

  add(event: DemoEvent): void {
    const day = Math.floor((event.at - this.#startSeconds) / DAY_SECONDS);
    if (event.at >= this.#endSeconds || day > event.repository.lastDay) return;
    this.on(day).push(event);
  }

  /** Returns the events of a day in the order in which they were added. */
  on(day: number): DemoEvent[] {
    let events = this.#days.get(day);
    if (events === undefined) {
      events = [];
      this.#days.set(day, events);
    }
    return events;
  }

  /** Removes the events of a day and returns them in chronological order. */
  take(day: number): DemoEvent[] {
    const events = this.on(day);
    this.#days.delete(day);
    return events.sort((a, b) => a.at - b.at);
  }
}
