import type { DefinitionSource } from '../definition-source.js';
import type { Problem } from '../problem.js';

/** A definition and the position of its folder in the list of folders. */
export interface PlacedSource {
  readonly source: DefinitionSource;
  readonly folder: number;
}

/** Two definitions with the same name or route. */
export interface Repeat {
  readonly problem: Problem;
  /** The files that cannot be served. */
  readonly files: readonly string[];
}

/**
 * Finds names and routes that are used twice. If both definitions are in one folder, neither is served, because the
 * engine cannot know which one is intended. If they are in two folders, the definition in the earlier folder is served.
 */
export function findRepeats(definitions: readonly PlacedSource[]): Repeat[] {
  const names = new Map<unknown, PlacedSource>();
  const routes = new Map<string, PlacedSource>();
  return definitions.flatMap((definition) => {
    const { source } = definition;
    const { name, path } = source.value;
    const sameName = names.get(name);
    if (sameName !== undefined) return [repeatOf(definition, sameName, 'name', nameMessage(definition, sameName))];
    if (typeof name === 'string') names.set(name, definition);
    if (typeof path !== 'string') return [];
    const sameRoute = routes.get(routeShape(path));
    if (sameRoute !== undefined) {
      const message = `${path} matches the same URLs as the path of ${sameRoute.source.file}: choose another path`;
      return [repeatOf(definition, sameRoute, 'path', message)];
    }
    routes.set(routeShape(path), definition);
    return [];
  });
}

/** Returns a route without the names of its parameters. Two routes with the same shape match the same URLs. */
export function routeShape(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
}

function repeatOf(later: PlacedSource, earlier: PlacedSource, key: 'name' | 'path', message: string): Repeat {
  const wrong = later.folder === earlier.folder ? [later, earlier] : [later];
  return { problem: later.source.problem([key], message), files: wrong.map(({ source }) => source.file) };
}

function nameMessage({ source, folder }: PlacedSource, earlier: PlacedSource): string {
  const message = `the name "${source.value.name}" is already used by ${earlier.source.file}`;
  return folder === earlier.folder
    ? `${message}: choose another name`
    : `${message}: write "overrides: true" to replace that definition`;
}
