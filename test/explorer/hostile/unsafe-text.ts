import type { Question } from '../../../explorer/questions/question.js';

/** Matches control and invisible characters, starts of HTML elements, Markdown links, and URLs. */
export const UNSAFE_TEXT = /[\p{Cc}\p{Cf}\p{Cs}]|<[a-z/!?]|\][([:]|:\/\//iu;

/** Returns the texts of a question that clients show, except the question itself as the user wrote it. */
export function shownTexts(question: Question): string[] {
  const { revisedTitle, notClear, assumption, combinedTitle, error, chart, recommendedQuestions } = question;
  const texts = [revisedTitle, notClear, assumption, combinedTitle, error, chart?.title, ...recommendedQuestions];
  return texts.filter((text) => typeof text === 'string');
}
