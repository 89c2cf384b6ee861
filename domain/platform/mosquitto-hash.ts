import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** As `mosquitto_passwd` of Mosquitto 2.0 makes them (its sources, password_mosq.c). */
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;
const derive = promisify(pbkdf2);

/**
 * What a password file of Mosquitto 2 holds for a device's secret: `$7$`, PBKDF2 with SHA-512. It needs
 * no pepper and no more rounds, because our secrets carry more than 170 random bits.
 */
export async function mosquittoHash(
  secret: string,
  salt = randomBytes(SALT_BYTES),
): Promise<string> {
  const hash = await derive(secret, salt, ITERATIONS, HASH_BYTES, "sha512");
  return `$7$${ITERATIONS}$${salt.toString("base64")}$${hash.toString("base64")}`;
}
