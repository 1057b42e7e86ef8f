import { keepsAccess } from '../../definitions/access/require-access.js';
import type { BrokenEndpoint } from '../../definitions/endpoint/broken-endpoint.js';
import type { Canary } from '../../definitions/endpoint/canary.js';
import { createBrokenEndpoint, type Endpoint } from '../../definitions/endpoint/endpoint.js';
import type { LoadedEndpoints } from '../../definitions/load/definition-loader.js';
import { routeShape } from '../../definitions/load/find-repeats.js';
import type { Problem } from '../../definitions/problem.js';
import type { Definitions, EndpointTrial } from '../served-definitions.js';

/** The last good version of a definition, which is served because its file has problems now. */
export interface OutdatedEndpoint {
  readonly endpoint: Endpoint;
  /** When the file first had problems. */
  readonly since: Date;
  readonly problems: readonly Problem[];
}

/** The definitions that are served, and which of them are not the newest versions of their files. */
export interface LiveState extends Definitions {
  readonly outdated: readonly OutdatedEndpoint[];
  readonly canaries: readonly LiveCanary[];
  /** The shares in percent, by name, of canaries whose files have problems now. These canaries continue when the files are valid again. */
  readonly paused: ReadonlyMap<string, number>;
}

/** A canary of a changed file. `source` is the definition in the file. */
export interface LiveCanary extends Canary {
  readonly source: Endpoint;
}

export interface NextParts {
  readonly before: LiveState;
  readonly loaded: Pick<LoadedEndpoints, 'endpoints' | 'broken'>;
  readonly trial: EndpointTrial;
  readonly now: Date;
}

/**
 * Decides what is served after a load, without canaries. A valid definition is served. A definition with problems keeps its
 * last good version, if there is one, unless the file now excludes callers of that version. A definition whose file was removed is not served.
 */
export function nextDefinitions({ before, loaded, trial, now }: NextParts): LiveState {
  const rejected = rejectedBy(trial, before.endpoints);
  let valid = loaded.endpoints.filter((endpoint) => !rejected.has(endpoint));
  let broken = [...loaded.broken, ...rejected.values()];
  for (;;) {
    const kept = keptVersions(before.endpoints, valid, broken);
    const conflicts = findConflicts(valid, kept);
    if (conflicts.length > 0) {
      const files = new Set(conflicts.map(({ file }) => file));
      valid = valid.filter(({ file }) => !files.has(file));
      broken = [...broken, ...conflicts];
      continue;
    }
    const outdated = [...kept].map(([{ problems }, endpoint]): OutdatedEndpoint => {
      const { outdatedSince: since = now } = endpoint;
      const isKnown = endpoint.outdatedSince !== undefined;
      return { endpoint: isKnown ? endpoint : { ...endpoint, outdatedSince: since }, since, problems };
    });
    return {
      endpoints: inOrderOfFiles([...valid, ...outdated.map(({ endpoint }) => endpoint)]),
      broken: broken.filter((one) => !kept.has(one)),
      outdated,
      canaries: [],
      paused: new Map(),
    };
  }
}

/**
 * Returns the endpoints that the database rejected, and the unchecked endpoints that have a last good version. An
 * unchecked endpoint without a last good version is served, as after a start.
 */
function rejectedBy(
  { broken, unchecked }: EndpointTrial,
  served: readonly Endpoint[],
): ReadonlyMap<Endpoint, BrokenEndpoint> {
  const waiting = [...unchecked].filter(({ file }) => served.some((endpoint) => endpoint.file === file));
  const message = 'the database did not answer, so this version is not checked yet; the service tries again';
  return new Map([...broken, ...waiting.map((endpoint) => [endpoint, rejectEndpoint(endpoint, message)] as const)]);
}

/** Creates a broken endpoint for a valid definition that is not served; `message` is the reason. */
export function rejectEndpoint(endpoint: Endpoint, message: string): BrokenEndpoint {
  return createBrokenEndpoint(endpoint, [endpoint.problem(['sql'], message)]);
}

/** Finds the last good versions of broken definitions: by their file, or by their name if the file was renamed. */
function keptVersions(
  served: readonly Endpoint[],
  valid: readonly Endpoint[],
  broken: readonly BrokenEndpoint[],
): ReadonlyMap<BrokenEndpoint, Endpoint> {
  const files = new Set([...valid, ...broken].map(({ file }) => file));
  const kept = new Map<BrokenEndpoint, Endpoint>();
  for (const one of broken) {
    const isRenamed = ({ definition, file }: Endpoint) => definition.name === one.name && !files.has(file);
    const last = served.find((endpoint) => endpoint.file === one.file) ?? served.find(isRenamed);
    // The last good version does not answer callers whom the new version of the file excludes, even if that has problems.
    const isOpen = last !== undefined && one.access !== undefined && !keepsAccess(last.definition.access, one.access);
    if (last !== undefined && !isOpen && ![...kept.values()].includes(last)) kept.set(one, last);
  }
  return kept;
}

/** Finds valid definitions that use the name or the route of a last good version of another file. */
function findConflicts(
  valid: readonly Endpoint[],
  kept: ReadonlyMap<BrokenEndpoint, Endpoint>,
): readonly BrokenEndpoint[] {
  return valid.flatMap((endpoint) => {
    const other = [...kept.values()].find((one) => conflictKey(one, endpoint) !== undefined);
    const key = other && conflictKey(other, endpoint);
    if (other === undefined || key === undefined) return [];
    const message = `this ${key} is still used by the last good version of ${other.file}, which has problems`;
    return [createBrokenEndpoint(endpoint, [endpoint.problem([key], message)])];
  });
}

function conflictKey({ definition: one }: Endpoint, { definition: other }: Endpoint): 'name' | 'path' | undefined {
  if (one.name === other.name) return 'name';
  const isSameRoute =
    one.path !== undefined && other.path !== undefined && routeShape(one.path) === routeShape(other.path);
  return isSameRoute ? 'path' : undefined;
}

function inOrderOfFiles(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...endpoints].sort((one, other) => (one.file < other.file ? -1 : 1));
}
