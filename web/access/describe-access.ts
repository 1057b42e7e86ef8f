const ROLE = 'role:';

/** Describes who can read a definition, after the word `needs`: `an API key or the role staff`. */
export function describeAccess(access: readonly string[]): string {
  return access.map(describeEntry).join(' or ');
}

function describeEntry(entry: string): string {
  if (entry === 'key') return 'an API key';
  return entry.startsWith(ROLE) ? `the role ${entry.slice(ROLE.length)}` : 'a signed-in user or an API key';
}

/** Why a result that is not public has no frames, pictures and links to files. */
export const NOT_SHARED = 'Frames, pictures and links to files are not available: they cannot send an API key.';
