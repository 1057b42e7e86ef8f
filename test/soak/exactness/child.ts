import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Served, ServedRequest, State } from '../../cache/exactness/served.js';
import type { ChildReply } from './service-child.js';

/** A child process that runs the service and commits changes on request. */
export class Child implements Served {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (result: State | null) => void>();
  #requests = 0;
  url = '';

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static async start(settings: Readonly<Record<string, string>>, offsetMs: number): Promise<Child> {
    const path = fileURLToPath(new URL('service-child.js', import.meta.url));
    const process = fork(path, [JSON.stringify(settings), String(offsetMs)]);
    const child = new Child(process);
    await new Promise<void>((resolve, reject) => {
      process.once('exit', (code) => reject(new Error(`the service ended with code ${code} before it listened`)));
      process.on('message', (reply: ChildReply) => {
        if ('url' in reply) {
          child.url = reply.url;
          resolve();
        } else child.#waiting.get(reply.id)?.(reply.result);
      });
    });
    process.removeAllListeners('exit');
    process.once('exit', () => {
      for (const resolve of child.#waiting.values()) resolve(null);
    });
    return child;
  }

  ask(request: ServedRequest): Promise<State | null> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#process.send({ id, request }, (error) => error && resolve(null));
    });
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
