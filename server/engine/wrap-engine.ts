import type { Engine } from '../../engine/index.js';

/** Returns an engine that runs requests with `run`, and does everything else like `engine`. */
export function wrapEngine(engine: Engine, run: Engine['run']): Engine {
  return {
    get endpoints() {
      return engine.endpoints;
    },
    get load() {
      return engine.load;
    },
    get generation() {
      return engine.generation;
    },
    broken: () => engine.broken(),
    lookUp: (options, endpoints) => engine.lookUp(options, endpoints),
    endpoint: (name) => engine.endpoint(name),
    serves: (endpoint) => engine.serves(endpoint),
    select: (endpoint, raw, target) => engine.select(endpoint, raw, target),
    canaryOf: (candidate) => engine.canaryOf(candidate),
    tryOut: (endpoints, options) => engine.tryOut(endpoints, options),
    refreshChoices: (refresh, endpoints) => engine.refreshChoices(refresh, endpoints),
    replace: (definitions) => engine.replace(definitions),
    explain: (endpoint, raw, options) => engine.explain(endpoint, raw, options),
    identify: (endpoint, raw) => engine.identify(endpoint, raw),
    cacheRule: (endpoint) => engine.cacheRule(endpoint),
    reportStored: (endpoint, parameters) => engine.reportStored(endpoint, parameters),
    // Streamed rows are not kept, so that they cannot be compared or counted like answers.
    stream: (endpoint, raw, receiver, options) => engine.stream(endpoint, raw, receiver, options),
    run,
  };
}
