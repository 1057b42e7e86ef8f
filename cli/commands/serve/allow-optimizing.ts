import { setFlagsFromString } from 'node:v8';

/** Lets V8 optimize hot code. `repo-insight.cts` disables this during the start. */
export function allowOptimizing(): void {
  setFlagsFromString('--opt');
}
