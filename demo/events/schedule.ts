import { DAY_SECONDS } from '../world/growth.js';
import type { DemoEvent } from './demo-event.js';

/** What is still to happen, by day. What would happen after the demo's end, or after a deletion, does not. */
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

  /** The events of a day so far, in the order in which they were added. */
  on(day: number): DemoEvent[] {
    let events = this.#days.get(day);
    if (events === undefined) {
      events = [];
      this.#days.set(day, events);
    }
    return events;
  }

  /** The events of a day in the order of time, which are then forgotten. */
  take(day: number): DemoEvent[] {
    const events = this.on(day);
    this.#days.delete(day);
    return events.sort((a, b) => a.at - b.at);
  }
}
