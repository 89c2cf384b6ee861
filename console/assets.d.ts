/** A style sheet that the build puts into the page. */
declare module "*.css";

/** The address of a file that the build copies. */
declare module "*?url" {
  const url: string;
  export default url;
}
