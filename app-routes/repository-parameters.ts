import type { ParameterDefinition } from '../engine/index.js';

/** The path parameters `{owner}` and `{repo}`. */
export const REPOSITORY_PARAMETERS: Readonly<Record<'owner' | 'repo', ParameterDefinition>> = {
  owner: {
    in: 'path',
    type: 'string',
    maxLength: 39,
    description: 'Login of the owner of the repository; case does not matter.',
    example: 'amber-ibex',
  },
  repo: {
    in: 'path',
    type: 'string',
    maxLength: 100,
    description: 'Name of the repository without the owner; case does not matter.',
    example: 'reed-stack',
  },
};
