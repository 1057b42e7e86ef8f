import type { DefinitionSummary } from '../api/definitions.js';
import { Badge } from '../parts/layout/badge.js';
import { Icon } from '../parts/layout/icon.js';

export type StateBadgesProps = Pick<DefinitionSummary, 'state' | 'deprecated'>;

/** States of a definition that need attention. A definition without problems has no badge. */
export function StateBadges({ state, deprecated }: StateBadgesProps) {
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
      {deprecated !== null && <Badge tone="warning">Deprecated since {deprecated}</Badge>}
    </>
  );
}
