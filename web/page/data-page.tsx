export function DataPage() {
  return <h1>DataPage</h1>;
}
