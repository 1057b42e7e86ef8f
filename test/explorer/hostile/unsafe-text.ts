import type { Question } from '../../../explorer/questions/question.js';

/** Control and invisible characters, starts of HTML elements, links of Markdown, and addresses. */
export const UNSAFE_TEXT = /[\p{Cc}\p{Cf}\p{Cs}]|<[a-z/!?]|\][([:]|:\/\//iu;

/** The texts of a record that clients show, without the question as its user wrote it. */
export function shownTexts(question: Question): string[] {
  const { revisedTitle, notClear, assumption, combinedTitle, error, chart, recommendedQuestions } = question;
  const texts = [revisedTitle, notClear, assumption, combinedTitle, error, chart?.title, ...recommendedQuestions];
  return texts.filter((text) => typeof text === 'string');
}
