"""Account endpoints that clients know and that need an outside service: verified addresses, AWS keys."""

from __future__ import annotations

from pydantic import BaseModel

from docagent.api.answers import Answer
from docagent.api.deps import AccountCaller, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.errors import InvalidInput
from docagent.services.accounts.cloud_config import AwsConfig

router = Router(prefix="/v0/account", tags=["account"])

NOT_BY_MAIL = (
    "This server does not verify addresses by e-mail. An administrator can, under /v0/account/users."
)


class AwsConfigIn(BaseModel):
    access_key_id: ShortText
    secret_access_key: ShortText
    s3_bucket_name: ShortText


class AwsConfigOut(Answer):
    access_key_id: str
    secret_access_key: str
    s3_bucket_name: str


@router.post("/email/verification/send/{user_id}", name="send_verification")
@router.post("/email/verification/register/{user_id}", name="register_verification")
async def send_verification(user_id: str, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Always refused: the address is verified already, or has to be by an administrator."""
    user = await services.users.get(caller, user_id)
    if user.email_verified:
        raise InvalidInput("Email already verified")
    raise InvalidInput(NOT_BY_MAIL)


@router.post("/email/verification/{token}")
async def verify_email(token: str) -> MessageOut:
    """Always refused: no verification mail is ever sent."""
    raise InvalidInput("Invalid verification token")


@router.post("/aws_config")
async def put_aws_config(body: AwsConfigIn, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Check AWS keys and keep them masked: nothing here uses them (system administrators)."""
    await services.cloud_config.put_aws(caller, AwsConfig(**body.model_dump()))
    return MessageOut(message="AWS configuration saved successfully")


@router.get("/aws_config")
async def get_aws_config(caller: AccountCaller, services: ServicesDep) -> AwsConfigOut:
    """The kept AWS keys, masked; empty when none are kept (system administrators)."""
    return AwsConfigOut.model_validate(await services.cloud_config.get_aws(caller))


@router.delete("/aws_config")
async def delete_aws_config(caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Forget the AWS keys (system administrators)."""
    await services.cloud_config.delete_aws(caller)
    return MessageOut(message="AWS configuration deleted successfully")
