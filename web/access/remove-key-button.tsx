import { removeApiKey, useHasApiKey } from '../api/api-key.js';
import { Button } from '../parts/layout/button.js';

/** Removes the API key of this tab; shown only while there is one. */
export function RemoveKeyButton() {
  if (!useHasApiKey()) return null;
  return (
    <Button size="small" onClick={removeApiKey}>
      Remove key
    </Button>
  );
}
