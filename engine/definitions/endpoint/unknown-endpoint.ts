import { EngineError } from '../../databases/interface/errors.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { Endpoint } from './endpoint.js';

/** Creates the error for an unknown endpoint name. The message suggests a similar name if one exists. */
export function unknownEndpointError(name: string, endpoints: readonly Endpoint[]): EngineError {
  const hint = didYouMean(
    name,
    endpoints.map(({ definition }) => definition.name),
  );
  return new EngineError('endpoint_not_found', `There is no endpoint named ${name}${hint}.`);
}
