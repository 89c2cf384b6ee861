import { execFileSync } from "node:child_process";

/** Whether `REQUIRE_BACKENDS` makes it a failure that paho-mqtt is absent. */
export const isPahoRequired = (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("paho");

/** The Python that has paho-mqtt; Debian's package belongs to Debian's Python. Undefined where none has it. */
export function pythonWithPaho(): string | undefined {
  return ["python3", "/usr/bin/python3"].find((python) => {
    try {
      execFileSync(python, ["-c", "import paho.mqtt.client"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
