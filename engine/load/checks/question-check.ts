import { didYouMean } from '../../../sql/did-you-mean.js';
import type { EndpointDefinition } from '../../definition/definition.js';
import type { DefinitionSource } from '../../definition/definition-source.js';
import type { Problem } from '../../definition/problem.js';
import { allParameters } from '../../endpoint/endpoint.js';

/** Checks that each `{name}` in the questions of a definition is a parameter, and that all braces form such places. */
export function checkQuestions(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const names = Object.keys(allParameters(definition));
  return definition.questions.flatMap((question, index) => {
    const path = ['questions', index];
    const places = [...question.matchAll(PLACE)];
    const unknown = places.flatMap(({ 1: name = '', index: at }) =>
      names.includes(name)
        ? []
        : [source.problem(path, `{${name}} is not a parameter of this definition${didYouMean(name, names)}`, { at })],
    );
    const stray = question.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
    if (unknown.length > 0 || stray === -1) return unknown;
    return [source.problem(path, 'this brace is not part of a {parameter}', { at: stray, got: question })];
  });
}

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
