export function QuestionPage() {
  return <h1>QuestionPage</h1>;
}
