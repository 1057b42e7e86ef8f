import { describeAccess } from '../access/describe-access.js';
import type { DefinitionSummary } from '../api/definitions.js';
import { Badge } from '../parts/layout/badge.js';
import { Icon } from '../parts/layout/icon.js';

export type StateBadgesProps = Pick<DefinitionSummary, 'state' | 'deprecated' | 'access'>;

/** Who can read a definition, and its states that need attention. A public definition without problems has no badge. */
export function StateBadges({ state, deprecated, access }: StateBadgesProps) {
  return (
    <>
      {state === 'broken' && (
        <Badge tone="danger">
          <Icon name="warning" size={12} /> Broken: requests fail
        </Badge>
      )}
      {state === 'outdated' && (
        <Badge tone="warning">
          <Icon name="warning" size={12} /> Outdated: its last good version answers
        </Badge>
      )}
      {access !== null && <Badge>Needs {describeAccess(access)}</Badge>}
      {deprecated !== null && <Badge tone="warning">Deprecated since {deprecated}</Badge>}
    </>
  );
}
