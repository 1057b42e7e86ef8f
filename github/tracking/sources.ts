import { EVENT_SOURCE } from './event-source.js';
import { ISSUE_SOURCE } from './issue-source.js';
import { REPOSITORY_SOURCE } from './repository-source.js';
import type { Source } from './source.js';
import { STAR_SOURCE } from './star-source.js';

/**
 * The sources in the order in which they are read: those that need few requests come first. Events come before issues, because old events
 * disappear from a feed.
 */
export const SOURCES: readonly Source[] = [REPOSITORY_SOURCE, STAR_SOURCE, EVENT_SOURCE, ISSUE_SOURCE];
