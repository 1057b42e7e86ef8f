import { setFlagsFromString } from 'node:v8';

/** Allows V8 to optimize hot code, which `repo-insight.cts` disables for the start. */
export function allowOptimizing(): void {
  setFlagsFromString('--opt');
}
