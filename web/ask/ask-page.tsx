export function AskPage() {
  return <h1>AskPage</h1>;
}
