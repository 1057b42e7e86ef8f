export function EndpointListPage() {
  return <h1>EndpointListPage</h1>;
}
