import type { DefinitionScope } from '../definition-scope.js';
import { DefinitionLoader, type LoadedEndpoints } from './definition-loader.js';

/** Loads every definition under a folder once. See `DefinitionLoader`. */
export function loadEndpoints(folder: string, scope?: DefinitionScope): Promise<LoadedEndpoints> {
  return new DefinitionLoader([folder], scope).load();
}

/**
 * Loads these files. Names and routes must be unique: all definitions with the same name or route are broken, because
 * the engine cannot know which one is intended, and the wrong one would return wrong answers.
 */
export function loadEndpointFiles(files: readonly string[], scope?: DefinitionScope): Promise<LoadedEndpoints> {
  return new DefinitionLoader([], scope).loadOnly(files);
}
