export function EndpointEmbed() {
  return <h1>EndpointEmbed</h1>;
}
