import { didYouMean } from '../../sql/did-you-mean.js';
import { EngineError } from '../interface/errors.js';
import type { Endpoint } from './endpoint.js';

/** The error for a name that no endpoint has. Its message suggests a similar name, if there is one. */
export function unknownEndpointError(name: string, endpoints: readonly Endpoint[]): EngineError {
  const hint = didYouMean(
    name,
    endpoints.map(({ definition }) => definition.name),
  );
  return new EngineError('endpoint_not_found', `There is no endpoint named ${name}${hint}.`);
}
