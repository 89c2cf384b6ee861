import { describeDamage } from "./table.ts";

describeDamage(/^records\//);
