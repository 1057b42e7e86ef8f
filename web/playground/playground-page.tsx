export function PlaygroundPage() {
  return <h1>PlaygroundPage</h1>;
}
