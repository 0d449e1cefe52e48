"""AWS credentials of clients that manage them. Nothing here uses them: they are checked, and kept masked.

Earlier versions kept whole ones. They are masked in every answer, and replaced when somebody saves or deletes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import orjson

from docagent.domain.accounts.accounts import Principal
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput
from docagent.security import Secrets
from docagent.store.accounts import config
from docagent.store.engine.database import Database

KEY = "aws"
VISIBLE = 4
_ACCESS_KEY = re.compile(r"A(KIA|SIA)[A-Z0-9]{16}")
_SECRET_KEY = re.compile(r"[A-Za-z0-9/+=]{40}")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")


@dataclass(frozen=True, slots=True)
class AwsConfig:
    access_key_id: str
    secret_access_key: str
    s3_bucket_name: str

    def masked(self) -> AwsConfig:
        return AwsConfig(_mask(self.access_key_id), _mask(self.secret_access_key), self.s3_bucket_name)


class CloudConfigService:
    def __init__(self, db: Database, secrets: Secrets) -> None:
        self._db = db
        self._secrets = secrets

    async def put_aws(self, principal: Principal, aws: AwsConfig) -> None:
        principal.require_system_admin()
        if not _ACCESS_KEY.fullmatch(aws.access_key_id):
            raise InvalidInput(
                "Invalid AWS access key ID: it begins with AKIA or ASIA and has 20 characters."
            )
        if not _SECRET_KEY.fullmatch(aws.secret_access_key):
            raise InvalidInput("Invalid AWS secret access key: it has 40 characters.")
        if not _BUCKET.fullmatch(aws.s3_bucket_name):
            raise InvalidInput(
                "Invalid S3 bucket name: use 3 to 63 lowercase letters, digits, dots and hyphens."
            )
        sealed = self._secrets.seal(orjson.dumps(aws.masked()).decode())
        async with self._db.write() as tx:
            await config.put(tx, KEY, sealed, now())

    async def get_aws(self, principal: Principal) -> AwsConfig:
        """The kept keys, masked; empty ones when none are kept."""
        principal.require_system_admin()
        async with self._db.read() as tx:
            sealed = await config.get(tx, KEY)
        if sealed is None:
            return AwsConfig("", "", "")
        return AwsConfig(**orjson.loads(self._secrets.unseal(sealed))).masked()

    async def delete_aws(self, principal: Principal) -> None:
        principal.require_system_admin()
        async with self._db.write() as tx:
            await config.delete(tx, KEY)


def _mask(secret: str) -> str:
    return secret[:VISIBLE] + "*" * 12
