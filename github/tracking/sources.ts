import { ISSUE_SOURCE } from './issue-source.js';
import { REPOSITORY_SOURCE } from './repository-source.js';
import type { Source } from './source.js';
import { STAR_SOURCE } from './star-source.js';

/** The sources in the order in which they are read: those that need few requests are first. */
export const SOURCES: readonly Source[] = [REPOSITORY_SOURCE, STAR_SOURCE, ISSUE_SOURCE];
